import type { Later } from './later.ts';

/** Rows, comparisons or ids between two looks at the limits: well under a millisecond of work. */
export const STEP = 1024;

/**
 * Called by long work between its steps, so that it can be stopped and others have their turn.
 *
 * Work of at most {@link STEP} items is done at once and noted; longer work awaits `step` after each {@link STEP}.
 */
export interface Pacer {
  /** Says that about so many rows were read at once. */
  note(rows: number): void;
  /**
   * To be awaited after each step of long work. Gives a promise only where others have waited long enough.
   * @throws `ERR_TIME_LIMIT` (timeout), or the reason of an abort.
   */
  step(): Later<void>;
}
