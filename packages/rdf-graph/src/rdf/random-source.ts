import { CodedError } from '@cairn/errors';

/**
 * The next number of a random source.
 * @throws `ERR_ARGUMENT` (invalid) for one outside of [0, 1): identifiers made of it would be malformed
 */
export function drawRandom(random: () => number): number {
  const value: unknown = random();
  if (typeof value === 'number' && value >= 0 && value < 1) return value;
  const message = `random must give numbers from 0 to below 1; got ${typeof value === 'number' ? value : `a ${typeof value}`}`;
  throw new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
}
