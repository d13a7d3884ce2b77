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

/** Turns batches into single results, as an iterable that can be iterated once. */
export function iterate<Item>(driver: Driver, toItems: (batch: Batch) => Iterable<Item>): AsyncIterableIterator<Item> {
  let items: Iterator<Item> | undefined;
  const refill = async (): Promise<IteratorResult<Item>> => {
    for (;;) {
      if (items !== undefined) await driver.breathe();
      const batch = await driver.next();
      if (batch === undefined) return { done: true, value: undefined };
      items = toItems(batch)[Symbol.iterator]();
      const item = items.next();
      if (!item.done) return item;
    }
  };
  return {
    next: async () => {
      const item = items?.next();
      return item !== undefined && !item.done ? item : refill();
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
