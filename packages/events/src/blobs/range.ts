import { CodedError, checkObject } from '@cairn/errors';
import type { ByteRange } from './blob-store.ts';

/**
 * Cuts a range to a blob's size and sets both ends. A range beyond the end is empty.
 * @throws `ERR_RANGE_INVALID` (invalid) when a bound is negative or not an integer, or the end is before the start.
 */
export function clampRange(range: ByteRange | undefined, sizeBytes: number): Required<ByteRange> {
  if (range !== undefined) checkObject(range, 'a range');
  const { start = 0, end = sizeBytes } = range ?? {};
  if (!isBound(start) || !isBound(end) || (range?.end !== undefined && end < start)) {
    throw new CodedError({
      code: 'ERR_RANGE_INVALID',
      kind: 'invalid',
      message: `a range must have 0 <= start <= end; got ${start} to ${end}`,
    });
  }
  return { start: Math.min(start, sizeBytes), end: Math.min(Math.max(start, end), sizeBytes) };
}

function isBound(bound: number): boolean {
  return Number.isSafeInteger(bound) && bound >= 0;
}
