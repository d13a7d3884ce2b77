import { badArgument } from '@cairn/errors';

/**
 * Refuses what no blob can be made from. Text is none: it would be walked by its letters.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkBlobSource(source: unknown): void {
  if (source instanceof Uint8Array) return;
  const isStream =
    typeof source === 'object' && source !== null && typeof Reflect.get(source, Symbol.asyncIterator) === 'function';
  if (!isStream) throw badArgument('what a blob is made from', 'bytes or an async iterable of bytes', source);
}
