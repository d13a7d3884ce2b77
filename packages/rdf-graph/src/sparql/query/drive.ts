import { readableOnce } from '@cairn/errors';
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
      if (this.#guard.isPauseDue()) await this.#guard.pause();
      const step = withinStack(() => this.#steps.next());
      if (step.done) this.#isDone = true;
      else if (step.value !== undefined && step.value.size > 0) return step.value;
    }
    return undefined;
  }

  /** Lets other events through where they have waited long enough. */
  breathe(): Promise<void> {
    return this.#guard.pauseWhenDue();
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
 * is where others may have their turn. Calls of `next` that overlap are answered in order, as those of an async
 * generator are; `return` ends the work at once, and what was asked for before gets no more.
 */
export function iterate<Item>(
  driver: Driver,
  toItems: (batch: Batch) => Iterable<Item | undefined>,
): AsyncGenerator<Item> {
  return readableOnce(new Results(driver, toItems));
}

/** Written out, as an async generator would cost each result three promises. */
class Results<Item> implements AsyncIterableIterator<Item> {
  readonly #driver: Driver;
  readonly #toItems: (batch: Batch) => Iterable<Item | undefined>;
  #items: Iterator<Item | undefined> | undefined;
  #count = 0;
  /** True when a call is being answered that had to wait for its result. */
  #isBusy = false;
  /** Calls that came meanwhile, in order. */
  #waiting: Set<() => void> | undefined;

  constructor(driver: Driver, toItems: (batch: Batch) => Iterable<Item | undefined>) {
    this.#driver = driver;
    this.#toItems = toItems;
  }

  async next(): Promise<IteratorResult<Item>> {
    if (this.#isBusy) await this.#wait();
    else if (++this.#count % ITEMS_PER_LOOK !== 0) {
      const item = this.#take();
      if (item !== undefined && !item.done && item.value !== undefined) return { done: false, value: item.value };
    }
    return this.#fetch();
  }

  async return(): Promise<IteratorResult<Item>> {
    this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next of the batch that is at hand; `undefined` when there is none. */
  #take(): IteratorResult<Item | undefined> | undefined {
    try {
      return this.#items?.next();
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** The next result, of further batches too. Others wait meanwhile. */
  async #fetch(): Promise<IteratorResult<Item>> {
    this.#isBusy = true;
    try {
      for (;;) {
        if (this.#items !== undefined) await this.#driver.breathe();
        const item = this.#take();
        if (item !== undefined && !item.done) {
          if (item.value !== undefined) return { done: false, value: item.value };
          continue;
        }
        const batch = await this.#driver.next();
        if (batch === undefined) return { done: true, value: undefined };
        this.#items = this.#toItems(batch)[Symbol.iterator]();
      }
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      this.#passOn();
    }
  }

  #wait(): Promise<void> {
    this.#waiting ??= new Set();
    const waiting = this.#waiting;
    return new Promise((resolve) => waiting.add(resolve));
  }

  /** Lets the call that has waited longest have its turn: none that comes now may overtake it. */
  #passOn(): void {
    const first = this.#waiting?.values().next().value;
    this.#isBusy = first !== undefined;
    if (first === undefined) return;
    this.#waiting?.delete(first);
    first();
  }

  /** After a failure, too, there is nothing more. */
  #end(): void {
    this.#items = undefined;
    this.#driver.close();
  }
}
