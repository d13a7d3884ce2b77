import { nextTurn } from '@cairn/events';

/** How long steps follow each other before others have their turn, in milliseconds. */
const SLICE_MS = 4;

/** Runs work that comes in steps to its end, and lets the event loop turn between them. */
export async function inTurns<Result>(work: Generator<void, Result, undefined>): Promise<Result> {
  let startedMs = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - startedMs < SLICE_MS) continue;
    await nextTurn();
    startedMs = performance.now();
  }
}

/** What is made of each item, in turns. */
export function mapInTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
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
