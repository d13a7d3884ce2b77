import { CodedError } from '@cairn/errors';

/** Node runs a timer of more milliseconds at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Refuses limits that are none: nothing is greater than NaN, so that such a limit would limit nothing.
 * @throws `ERR_CONFIGURATION` (invalid) that names the limit
 */
export function checkLimits(limits: Readonly<Record<string, unknown>>, least = 0): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    const message = `${name} must be a number of ${least} or more; got ${describe(value)}`;
    throw new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message });
  }
}

function describe(value: unknown): string {
  return typeof value === 'number' || value === null ? String(value) : `a ${typeof value}`;
}

/** Milliseconds that a timer takes: those of a limit, or the most there are, some 25 days. */
export function timerMs(limitMs: number): number {
  return Math.min(limitMs, MAX_TIMER_MS);
}
