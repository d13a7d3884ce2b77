/** Items that are sorted, or merged, between two chances to pause: well under a millisecond. */
const ITEMS_PER_STEP = 1024;

type Compare<Item> = (a: Item, b: Item) => number;

/** The items in order; equal ones stay as they were. Yields where it may pause. Cost: O(n log n), and a copy. */
export function* sortInSteps<Item>(items: readonly Item[], compare: Compare<Item>): Generator<void, readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += ITEMS_PER_STEP) {
    runs.push(items.slice(start, start + ITEMS_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: Compare<Item>,
): Generator<void, readonly Item[]> {
  const merged: Item[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    merged.push(compare(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
    if (merged.length % ITEMS_PER_STEP === 0) yield;
  }
  for (; i < left.length; i++) merged.push(left[i]);
  for (; j < right.length; j++) merged.push(right[j]);
  return merged;
}
