/** A clock: milliseconds from some moment on, of which only differences matter, as `performance.now` gives them. */
export type NowMs = () => number;

/** One look in milliseconds: about the work that lies between two looks. */
const LOOK_MS = 0.05;

/**
 * The clock of work that was handed none: it counts looks instead of time, so that long work still lets others run and
 * ends at its limit, at the same step on every machine. Each computation has its own.
 * @param lookMs about the work between two looks, in milliseconds, for those whose steps are longer. Default 0.05.
 */
export function createStepClock(lookMs: number = LOOK_MS): NowMs {
  let looks = 0;
  return () => looks++ * lookMs;
}
