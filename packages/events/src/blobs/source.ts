import { badArgument, checkObject, checkSignal, isAsyncIterable } from '@cairn/errors';
import { copyBytes } from '../content/bytes.ts';
import type { BlobSource } from './blob-store.ts';

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
