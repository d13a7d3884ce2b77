/** What one look at a step clock counts as: about the work that lies between two looks. */
const LOOK_MS = 0.05;

/**
 * A clock for engines that were handed none: it counts looks instead of time, so that long work still lets others run
 * and ends at its limit, at the same step on every machine.
 */
export function createStepClock(): () => number {
  let looks = 0;
  return () => looks++ * LOOK_MS;
}
