import type { TermId } from '../port/term-kind.ts';
import type { Allocate } from './memory.ts';

/** The sorted orders that are kept of every quad. The numbers are stored in snapshots and must not change. */
export const Permutation = { spo: 0, pso: 1, pos: 2, osp: 3 } as const;

/** One of {@link Permutation}. */
export type PermutationId = (typeof Permutation)[keyof typeof Permutation];

/** For each permutation the positions (0 subject, 1 predicate, 2 object) of its columns. */
export const PERMUTATION_COLUMNS: readonly (readonly [number, number, number])[] = [
  [0, 1, 2],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
];

/** Ids of label sets, one per quad: as narrow as they fit. */
export type SetColumn = Uint16Array | Uint32Array;

/** The columns of one permutation: sorted by graph, then by `a`, `b`, `c`. */
export interface PermutationColumns {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly c: Uint32Array;
  readonly sets: SetColumn;
}

/** Zeroed columns for `length` quads in one buffer, with two bytes per label set when they fit. */
export function allocateColumns(allocate: Allocate, length: number, narrow: boolean): PermutationColumns {
  const buffer = allocate(length * (narrow ? 14 : 16));
  const column = (place: number) => new Uint32Array(buffer, place * length * 4, length);
  const sets = narrow ? new Uint16Array(buffer, length * 12, length) : column(3);
  return { a: column(0), b: column(1), c: column(2), sets };
}

/** The first index in `[start, end)` of a sorted column whose value is at least `key`. */
export function lowerBound(column: Uint32Array, start: number, end: number, key: TermId): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Like {@link lowerBound}, cheap when the answer is near `start`. */
export function gallop(column: Uint32Array, start: number, end: number, key: TermId): number {
  if (start >= end || column[start] >= key) return start;
  let step = 1;
  let low = start;
  while (low + step < end && column[low + step] < key) {
    low += step;
    step *= 2;
  }
  return lowerBound(column, low + 1, Math.min(end, low + step + 1), key);
}
