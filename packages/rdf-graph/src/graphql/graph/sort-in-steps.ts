import { sortInSteps as sort } from '@cairn/events';
import type { Pacer } from './pacer.ts';

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
