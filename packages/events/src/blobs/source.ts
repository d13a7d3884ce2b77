import { badArgument, isAsyncIterable } from '@cairn/errors';

/**
 * Refuses what no blob can be made from. Text is none: it would be walked by its letters.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkBlobSource(source: unknown): void {
  if (source instanceof Uint8Array || isAsyncIterable(source)) return;
  throw badArgument('what a blob is made from', 'bytes or an async iterable of bytes', source);
}
