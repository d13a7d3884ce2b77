import { runInSlices } from '@cairn/events';

/** Runs work that comes in steps to its end, and lets others run when a slice is over. */
export function inTurns<Result>(work: Generator<void, Result>): Result | Promise<Result> {
  return runInSlices(work, { nowMs: () => performance.now() });
}
