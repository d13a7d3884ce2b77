import { sortInSteps as sort } from '@cairn/events';

/** A value that is at hand, or one that takes turns of the event loop to make. */
export type Later<Value> = Value | Promise<Value>;

/** Goes on with a value: at once where it is at hand. */
export function whenDone<Value, Result>(value: Later<Value>, next: (value: Value) => Later<Result>): Later<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

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

/** Maps each item; in steps where there are many. */
export function mapInSteps<Item, Result>(
  pacer: Pacer,
  items: ArrayLike<Item>,
  toResult: (item: Item) => Result,
): Later<Result[]> {
  return items.length <= STEP ? Array.from(items, toResult) : mapMany(pacer, items, toResult);
}

async function mapMany<Item, Result>(
  pacer: Pacer,
  items: ArrayLike<Item>,
  toResult: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += STEP) {
    const end = Math.min(items.length, start + STEP);
    for (let i = start; i < end; i++) results.push(toResult(items[i]));
    await pacer.step();
  }
  return results;
}

/** The items in order; equal ones stay as they were. Cost: O(n log n), and a copy. */
export async function sortInSteps<Item>(
  pacer: Pacer,
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  const sorting = sort(items, compare);
  for (let step = sorting.next(); ; step = sorting.next()) {
    if (step.done) return step.value;
    await pacer.step();
  }
}
