import { badArgument, checkObject, checkSignal, isAsyncIterable } from '@cairn/errors';
import { copyBytes } from '../content/bytes.ts';
import type { BlobSource } from './blob-store.ts';

/**
 * Refuses what no blob can be made from. Text is none: it would be walked by its letters.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkBlobSource(source: unknown): void {
  if (source instanceof Uint8Array || isAsyncIterable(source)) return;
  throw badArgument('what a blob is made from', 'bytes or an async iterable of bytes', source);
}

/**
 * A source whose bytes nobody else can change: an array is copied, at once; a stream is given back as it is.
 * @throws `ERR_ARGUMENT` (invalid) for what no blob can be made from
 */
export function toOwnSource(source: BlobSource): BlobSource {
  checkBlobSource(source);
  return source instanceof Uint8Array ? copyBytes(source) : source;
}

/** How a blob is stored. */
export interface PutOptions {
  readonly signal?: AbortSignal | undefined;
}

/** @throws `ERR_ARGUMENT` (invalid) for what are no options of `put` */
export function checkPutOptions(options: PutOptions): void {
  checkObject(options, 'the options of a put');
  checkSignal(options.signal);
}

/**
 * Refuses what is no chunk of a stream of bytes: text, numbers, arrays of wider numbers.
 * @param what whose chunk it is, as the caller knows it: `a blob`
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkChunk(chunk: unknown, what: string): asserts chunk is Uint8Array {
  if (!(chunk instanceof Uint8Array)) throw badArgument(`a chunk of ${what}`, 'bytes', chunk);
}
