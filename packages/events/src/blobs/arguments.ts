import { badArgument, CodedError, checkObject, checkSignal, isAsyncIterable } from '@cairn/errors';
import { copyBytes } from '../content/bytes.ts';
import type { BlobSource, ByteRange } from './blob-store.ts';

/** Returns true if text can name a blob or manifest, by the rule of {@link BlobStore}. */
export function isBlobName(name: string): boolean {
  if (typeof name !== 'string' || !/^[A-Za-z0-9._/-]{1,200}$/.test(name)) return false;
  return name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** @throws `ERR_BLOB_NAME` (invalid) for text that cannot name a blob or manifest */
export function checkBlobName(name: string): void {
  if (isBlobName(name)) return;
  const message = `a blob name must be 1 to 200 characters of A-Z a-z 0-9 . _ - / without an empty, . or .. segment; got ${JSON.stringify(String(name).slice(0, 250))}`;
  throw new CodedError({ code: 'ERR_BLOB_NAME', kind: 'invalid', message });
}

export function blobsClosed(): CodedError {
  const message = 'the blob store is closed';
  return new CodedError({ code: 'ERR_BLOBS_CLOSED', kind: 'unavailable', message, retryable: false });
}

/**
 * Cuts a range to a blob's size and sets both ends. A range beyond the end is empty.
 * @throws `ERR_RANGE_INVALID` (invalid) when a bound is negative or not an integer, or the end is before the start.
 */
export function clampRange(range: ByteRange | undefined, sizeBytes: number): Required<ByteRange> {
  if (range !== undefined) checkObject(range, 'a range');
  const { start = 0, end = sizeBytes } = range ?? {};
  if (!isBound(start) || !isBound(end) || (range?.end !== undefined && end < start)) {
    const message = `a range must have 0 <= start <= end; got ${start} to ${end}`;
    throw new CodedError({ code: 'ERR_RANGE_INVALID', kind: 'invalid', message });
  }
  return { start: Math.min(start, sizeBytes), end: Math.min(Math.max(start, end), sizeBytes) };
}

function isBound(bound: number): boolean {
  return Number.isSafeInteger(bound) && bound >= 0;
}

/**
 * @throws `ERR_ARGUMENT` (invalid) unless a blob can be made of it; text cannot: it would be walked letter by letter
 */
export function checkBlobSource(source: unknown): void {
  if (source instanceof Uint8Array || isAsyncIterable(source)) return;
  throw badArgument('what a blob is made from', 'bytes or an async iterable of bytes', source);
}

/**
 * Returns a source whose bytes nobody else can change: an array is copied at once, a stream is returned as it is.
 * @throws `ERR_ARGUMENT` (invalid) when no blob can be made of it
 */
export function toOwnSource(source: BlobSource): BlobSource {
  checkBlobSource(source);
  return source instanceof Uint8Array ? copyBytes(source) : source;
}

export interface PutOptions {
  readonly signal?: AbortSignal | undefined;
}

/** @throws `ERR_ARGUMENT` (invalid) unless these are options of `put` */
export function checkPutOptions(options: PutOptions): void {
  checkObject(options, 'the options of a put');
  checkSignal(options.signal);
}

/**
 * Refuses chunks that are not bytes: text, numbers, arrays of wider numbers.
 * @param what the owner of the chunk as the caller knows it: `a blob`
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkChunk(chunk: unknown, what: string): asserts chunk is Uint8Array {
  if (!(chunk instanceof Uint8Array)) throw badArgument(`a chunk of ${what}`, 'bytes', chunk);
}
