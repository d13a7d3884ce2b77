import type { Range } from './range.ts';

interface Rows {
  a: Uint32Array;
  b: Uint32Array;
  c: Uint32Array;
  sets: Uint32Array;
  size: number;
}

/**
 * Writes into `target` what is visible of several ranges of the same prefix, the later ones covering the earlier.
 * Cost: O(rows). Returns how many rows there are.
 */
export function mergeRanges(target: Range, ranges: readonly Range[], permitted: Uint8Array): number {
  let rows = toRows(ranges[0]!);
  for (let i = 1; i < ranges.length; i++) rows = mergePair(rows, ranges[i]!);
  let kept = 0;
  for (let i = 0; i < rows.size; i++) {
    if (permitted[rows.sets[i]!] !== 1) continue;
    rows.a[kept] = rows.a[i]!;
    rows.b[kept] = rows.b[i]!;
    rows.c[kept++] = rows.c[i]!;
  }
  target.a = rows.a;
  target.b = rows.b;
  target.c = rows.c;
  target.sets = null;
  target.start = 0;
  target.end = kept;
  return kept;
}

function toRows({ a, b, c, sets, start, end }: Range): Rows {
  return {
    a: a.slice(start, end),
    b: b.slice(start, end),
    c: c.slice(start, end),
    sets: Uint32Array.from(sets!.subarray(start, end)),
    size: end - start,
  };
}

function mergePair(older: Rows, newer: Range): Rows {
  const capacity = older.size + newer.end - newer.start;
  const a = new Uint32Array(capacity);
  const b = new Uint32Array(capacity);
  const c = new Uint32Array(capacity);
  const sets = new Uint32Array(capacity);
  let i = 0;
  let j = newer.start;
  let size = 0;
  while (i < older.size || j < newer.end) {
    const order =
      i >= older.size
        ? 1
        : j >= newer.end
          ? -1
          : older.a[i]! - newer.a[j]! || older.b[i]! - newer.b[j]! || older.c[i]! - newer.c[j]!;
    if (order < 0) {
      a[size] = older.a[i]!;
      b[size] = older.b[i]!;
      c[size] = older.c[i]!;
      sets[size++] = older.sets[i++]!;
      continue;
    }
    if (order === 0) i++;
    a[size] = newer.a[j]!;
    b[size] = newer.b[j]!;
    c[size] = newer.c[j]!;
    sets[size++] = newer.sets![j++]!;
  }
  return { a, b, c, sets, size };
}
