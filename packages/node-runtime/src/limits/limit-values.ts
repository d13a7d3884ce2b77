import { CodedError } from '@cairn/errors';

/** Node runs a timer of more milliseconds at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws `ERR_CONFIGURATION` (invalid) that names the limit, for a value that is none */
export function checkLimit(value: unknown, name: string, least = 0): void {
  if (typeof value === 'number' && value >= least) return;
  const message = `${name} must be a number of ${least} or more; got ${describe(value)}`;
  throw new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message });
}

function describe(value: unknown): string {
  return typeof value === 'number' || value === null ? String(value) : `a ${typeof value}`;
}

/** Milliseconds that a timer takes: those of a limit, or the most there are, some 25 days. */
export function timerMs(limitMs: number): number {
  return Math.min(limitMs, MAX_TIMER_MS);
}
