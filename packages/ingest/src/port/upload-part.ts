/** One file of a multipart upload while it streams in. Its content must be consumed before the next part is asked for. */
export interface UploadPart {
  /** As the sender named it; empty when it gave none. */
  readonly filename: string;
  readonly declaredType: string | undefined;
  /** Chunks of bytes. Each is copied, or stored, before the next is asked for: they may all be views of one buffer. */
  readonly content: AsyncIterable<Uint8Array>;
}
