import type { NumberArray } from '../memory/grow.ts';

/** Bytes that are copied between two chances to pause: a millisecond at most, though new memory is touched first then. */
export const BYTES_PER_STEP: number = 2 ** 20;

/** So few bytes are copied at once: a chance to pause costs as much. */
const FEW_BYTES: number = 2 ** 16;

/** The bytes of an array of numbers, in the same memory. */
export function bytesOf({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Copies bytes into others, from a place there on. Yields where it may pause. */
export function* copyBytesInSteps(source: Uint8Array, into: Uint8Array, at = 0): Generator<void, void> {
  for (let start = 0; start < source.length; start += BYTES_PER_STEP) {
    const piece = source.subarray(start, start + BYTES_PER_STEP);
    into.set(piece, at + start);
    if (piece.length > FEW_BYTES) yield;
  }
}

/** A copy of exactly an array, in memory of its own. Yields where it may pause. */
export function* copyInSteps<T extends NumberArray>(source: T): Generator<void, T> {
  if (source.byteLength <= FEW_BYTES) return source.slice() as T;
  const copy = new (source.constructor as new (length: number) => T)(source.length);
  yield* copyBytesInSteps(bytesOf(source), bytesOf(copy));
  return copy;
}
