import type { SetColumn } from './permutation.ts';

const NO_IDS = new Uint32Array(0);

/**
 * A stretch `[start, end)` of sorted columns, written by a seek and reused for the next one.
 * When `sets` is not null, row `i` is visible only where `permitted[sets[i]]` is 1; when it is null, every row is.
 */
export class Range {
  a: Uint32Array = NO_IDS;
  b: Uint32Array = NO_IDS;
  c: Uint32Array = NO_IDS;
  sets: SetColumn | null = null;
  start = 0;
  end = 0;
}

export function copyOf(range: Range): Range {
  const copy = new Range();
  copyRange(copy, range);
  return copy;
}

export function copyRange(target: Range, source: Range): void {
  target.a = source.a;
  target.b = source.b;
  target.c = source.c;
  target.sets = source.sets;
  target.start = source.start;
  target.end = source.end;
}

/** Negative when a row of a range comes before that of another one, 0 for the same quad. */
export function compareRows(one: Range, i: number, other: Range, j: number): number {
  return one.a[i] - other.a[j] || one.b[i] - other.b[j] || one.c[i] - other.c[j];
}

/** How many rows ranges have together. */
export function sizeOf(ranges: readonly Range[]): number {
  let size = 0;
  for (const { start, end } of ranges) size += end - start;
  return size;
}
