/** One row of a listing of blobs. */
export interface BlobInfo {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A half-open range of bytes. */
export interface ByteRange {
  /** First byte, 0-based. */
  readonly start: number;
  /** One past the last byte. Default: the end of the blob. */
  readonly end?: number;
}

/**
 * Content of a blob: bytes, or a stream of chunks of any size.
 *
 * - An array belongs to the caller again as soon as the call has returned its promise: its bytes at the time of the
 *   call are stored, whatever is written into it later.
 * - A chunk belongs to the store until it asks for the next one; then the source may refill the same buffer.
 */
export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Named immutable bytes, and small manifests that are replaced as a whole.
 *
 * Names are 1 to 200 characters of `A-Z a-z 0-9 . _ - /`, no segment is empty, `.` or `..`; blobs and manifests have
 * separate name spaces.
 *
 * Laws for implementers (`@cairn/events/conformance` checks them):
 * - A blob appears whole or not at all; a failed or aborted `put` leaves nothing that `list` shows.
 * - The promise of `put` and `replaceManifest` MUST NOT resolve before the bytes are durable.
 * - `put` of a name that exists MUST leave the stored bytes as they are and resolve (names are content-derived), unless
 *   they are damaged and the store can tell: then they are stored anew, as they are by `putContent`.
 * - `replaceManifest` is atomic: a reader sees the old bytes or the new ones.
 * - What a store keeps MUST be what it was passed, by the rules of {@link BlobSource}, which hold for the bytes of a
 *   manifest as well: it copies an array before it first waits for anything, and MUST NOT look at a chunk again once it
 *   has asked for the next. A name, a size and a checksum are those of the bytes stored.
 * - A chunk that is no `Uint8Array` MUST be refused with `ERR_ARGUMENT`.
 * - A stream or list that is read a second time MUST come whole again, or throw `ERR_ALREADY_READ` (`readableOnce`).
 */
export interface BlobStore {
  /**
   * Stores a blob, streamed. Returns its size. An array is copied at the call, so pass a large one as a stream of its
   * parts.
   * @throws whatever the source throws, `ERR_ARGUMENT` (invalid) when it is no source or yields a chunk that is not
   *   bytes, `ERR_BLOB_WRITE` (unavailable) when the medium refuses.
   */
  put(name: string, source: BlobSource, options?: { readonly signal?: AbortSignal | undefined }): Promise<BlobInfo>;
  /** Stores a blob under `prefix` + the SHA-256 of its content in hex, without holding it in memory. */
  putContent(
    prefix: string,
    source: BlobSource,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<BlobInfo>;
  /**
   * Returns the bytes of a blob or a range of it, `undefined` when there is none. They are the caller's own, to write
   * into or to transfer to another thread.
   */
  get(name: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Returns the bytes of a blob in chunks, each the reader's own; `undefined` when there is none. */
  stream(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Lists the blobs whose names start with `prefix`, sorted by name. */
  list(prefix?: string): AsyncIterable<BlobInfo>;
  /** Removes a blob; a missing one is no error. */
  delete(name: string): Promise<void>;
  /** Returns the bytes of a manifest; `undefined` when it was never written. */
  readManifest(name: string): Promise<Uint8Array | undefined>;
  /** Replaces a manifest atomically. */
  replaceManifest(name: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
