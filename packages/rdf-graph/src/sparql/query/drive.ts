import type { Batch, Steps } from '../execute/batch.ts';
import { withinStack } from './depth.ts';
import type { Guard } from './guard.ts';

/** Pulls batches one at a time, under a guard. */
export class Driver {
  readonly #steps: Steps;
  readonly #guard: Guard;
  #isDone = false;

  constructor(steps: Steps, guard: Guard) {
    this.#steps = steps;
    this.#guard = guard;
  }

  /** The next batch with rows, `undefined` at the end. Rejects with what the evaluation throws. */
  async next(): Promise<Batch | undefined> {
    while (!this.#isDone) {
      this.#guard.check();
      const step = withinStack(() => this.#steps.next());
      if (step.done) {
        this.#isDone = true;
        break;
      }
      if (step.value !== undefined && step.value.size > 0) return step.value;
      if (this.#guard.isPauseDue()) await this.#guard.pause();
    }
    return undefined;
  }

  /** Lets other events through where they have waited long enough. */
  async breathe(): Promise<void> {
    if (this.#guard.isPauseDue()) await this.#guard.pause();
  }

  close(): void {
    this.#isDone = true;
    this.#steps.return();
  }
}

/** Results between two looks at the event loop. */
const ITEMS_PER_LOOK = 256;

/** Single results without the `undefined` among them, which stand for pauses. */
export async function* inBreaths<Item>(driver: Driver, items: Iterable<Item | undefined>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    if (item === undefined || ++count % ITEMS_PER_LOOK === 0) await driver.breathe();
    if (item !== undefined) yield item;
  }
}

/**
 * Turns batches into single results, as an iterable that can be iterated once. `undefined` among them is no result but
 * stands where others may have their turn.
 */
export function iterate<Item>(
  driver: Driver,
  toItems: (batch: Batch) => Iterable<Item | undefined>,
): AsyncIterableIterator<Item> {
  let items: Iterator<Item | undefined> | undefined;
  let count = 0;
  const refill = async (): Promise<IteratorResult<Item>> => {
    for (;;) {
      if (items !== undefined) await driver.breathe();
      const item = items?.next();
      if (item !== undefined && !item.done) {
        if (item.value !== undefined) return { done: false, value: item.value };
        continue;
      }
      const batch = await driver.next();
      if (batch === undefined) return { done: true, value: undefined };
      items = toItems(batch)[Symbol.iterator]();
    }
  };
  return {
    next: async () => {
      if (++count % ITEMS_PER_LOOK === 0) return refill();
      const item = items?.next();
      if (item === undefined || item.done || item.value === undefined) return refill();
      return { done: false, value: item.value };
    },
    return: async () => {
      driver.close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
