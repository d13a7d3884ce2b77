/** One file of a multipart upload while it streams in. Its content must be consumed before the next part is asked for. */
export interface UploadPart {
  /** As the sender named it; empty when it gave none. */
  readonly filename: string;
  readonly declaredType: string | undefined;
  /** Chunks that nobody writes to any more: they are kept until the file is stored. */
  readonly content: AsyncIterable<Uint8Array>;
}
