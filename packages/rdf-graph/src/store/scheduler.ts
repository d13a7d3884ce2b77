import { nextTurn } from '@cairn/events';

/** Runs a task soon, after events that wait now. */
export type Schedule = (task: () => void) => void;

interface Host {
  readonly setImmediate?: (task: () => void) => { unref?(): void };
  readonly setTimeout: (task: () => void, ms: number) => { unref?(): void } | number;
}

/** Uses the host's event loop; the task alone keeps no process alive. */
export const scheduleOnEventLoop: Schedule = (task) => {
  const host = globalThis as unknown as Host;
  const handle = host.setImmediate === undefined ? host.setTimeout(task, 0) : host.setImmediate(task);
  if (typeof handle === 'object') handle.unref?.();
};

/** Runs a sliced computation to its end. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Runs a sliced computation to its end, each slice in a turn of the event loop. One of a single slice ends at once, and
 * gives its result without a promise.
 */
export function inTurns<Result>(steps: Generator<void, Result>): Result | Promise<Result> {
  const step = steps.next();
  return step.done ? step.value : inFurtherTurns(steps);
}

async function inFurtherTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A few milliseconds of work, in units of about ten nanoseconds. */
export const SLICE_WORK = 250_000;

/** Counts the work of a sliced computation: tells when it is time to yield. */
export class Pace {
  readonly #slice: number;
  #left: number;

  /** @param slice how much work goes into one slice, in units of about ten nanoseconds */
  constructor(slice: number = SLICE_WORK) {
    this.#slice = slice;
    this.#left = slice;
  }

  /** Notes that some work was done; true when the slice is full, and then a new one begins. */
  did(work: number): boolean {
    this.#left -= work;
    if (this.#left > 0) return false;
    this.#left = this.#slice;
    return true;
  }
}

/** Copied in one slice: a few milliseconds also where the memory is touched for the first time. */
const BYTES_PER_COPY = 1 << 22;

/** Copies an array into another one of its kind, from `at` on, in slices. */
export function* copyInSlices<Items extends Uint8Array | Uint32Array>(
  source: Items,
  target: Items,
  at: number,
): Generator<void, void> {
  const items = BYTES_PER_COPY / source.BYTES_PER_ELEMENT;
  for (let start = 0; start < source.length; start += items) {
    if (start > 0) yield;
    target.set(source.subarray(start, start + items), at + start);
  }
}
