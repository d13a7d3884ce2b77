import { type Pacer, STEP } from './pacer.ts';

type Compare<Item> = (a: Item, b: Item) => number;

/** The items in order; equal ones stay as they were. Cost: O(n log n), and a copy. */
export async function sortInSteps<Item>(
  pacer: Pacer,
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += STEP) {
    runs.push(items.slice(start, start + STEP).sort(compare));
    await pacer.step();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await merge(pacer, runs[i], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  pacer: Pacer,
  left: readonly Item[],
  right: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    merged.push(compare(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
    if (merged.length % STEP === 0) await pacer.step();
  }
  for (; i < left.length; i++) merged.push(left[i]);
  for (; j < right.length; j++) merged.push(right[j]);
  return merged;
}
