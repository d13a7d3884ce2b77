import type { NumberArray } from '../memory/grow.ts';

/** Result of {@link watchCopies}. */
export interface WatchedWork<T> {
  readonly result: T;
  readonly steps: number;
  /** The most bytes that were copied from array to array, or filled, between two chances to pause. */
  readonly mostBytes: number;
}

const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

/** Runs work to its end and counts what each step of it copies by `set`, `slice`, `fill` and `copyWithin` of arrays. */
export function watchCopies<T>(work: Generator<void, T>): WatchedWork<T> {
  const { set, slice, fill, copyWithin } = prototype;
  let bytes = 0;
  let mostBytes = 0;
  let steps = 0;
  const count = (many: number): void => {
    bytes += many;
    mostBytes = Math.max(mostBytes, bytes);
  };
  prototype.set = function (this: NumberArray, source: ArrayLike<number>, at?: number) {
    count(source.length * this.BYTES_PER_ELEMENT);
    set.call(this, source, at);
  };
  prototype.slice = function (this: Uint8Array, start?: number, end?: number) {
    const copy = slice.call(this, start, end);
    count(copy.byteLength);
    return copy;
  };
  prototype.fill = function (this: Uint8Array, value: number, start?: number, end?: number) {
    count(this.byteLength);
    return fill.call(this, value, start, end) as Uint8Array & typeof this;
  };
  prototype.copyWithin = function (this: Uint8Array, target: number, start: number, end?: number) {
    count(this.byteLength);
    return copyWithin.call(this, target, start, end) as Uint8Array & typeof this;
  };
  try {
    for (let step = work.next(); ; step = work.next()) {
      steps++;
      bytes = 0;
      if (step.done) return { result: step.value, steps, mostBytes };
    }
  } finally {
    Object.assign(prototype, { set, slice, fill, copyWithin });
  }
}
