import { runInSlices } from '@cairn/events';

/** Runs work that comes in steps to its end, and lets others run when a slice is over. */
export function inTurns<Result>(work: Generator<void, Result>): Result | Promise<Result> {
  return runInSlices(work, { nowMs: () => performance.now() });
}

export function mapInTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Made[] | Promise<Made[]> {
  return inTurns(mapInSteps(items, make));
}

const ITEMS_PER_STEP = 512;

function* mapInSteps<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Generator<void, Made[], undefined> {
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item));
    if (made.length % ITEMS_PER_STEP === 0) yield;
  }
  return made;
}
