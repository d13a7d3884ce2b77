import { createStepClock, runInSlices, SLICE_MS } from '@cairn/events';

/**
 * Runs work whose steps are slices, as {@link Pace} cuts it, each in a turn of the event loop. Work of a single slice
 * gives its result at once, without a promise. @throws the reason of an abort
 */
export function inTurns<Result>(slices: Generator<void, Result>, signal?: AbortSignal): Result | Promise<Result> {
  return runInSlices(slices, { nowMs: createStepClock(SLICE_MS), signal });
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
