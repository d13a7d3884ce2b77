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
 * Cost: O(rows), most of it the copying of arrays where the later ranges are small. Returns how many rows there are.
 */
export function mergeRanges(target: Range, ranges: readonly Range[], permitted: Uint8Array): number {
  let rows = toRows(ranges[0]);
  for (let i = 1; i < ranges.length; i++) rows = mergePair(rows, ranges[i]);
  let kept = 0;
  for (let i = 0; i < rows.size; i++) {
    if (permitted[rows.sets[i]] !== 1) continue;
    rows.a[kept] = rows.a[i];
    rows.b[kept] = rows.b[i];
    rows.c[kept++] = rows.c[i];
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
    sets: sets === null ? new Uint32Array(end - start) : new Uint32Array(sets.subarray(start, end)),
    size: end - start,
  };
}

function mergePair(older: Rows, newer: Range): Rows {
  const target = allocateRows(older.size + newer.end - newer.start);
  let i = 0;
  for (let j = newer.start; j < newer.end; j++) {
    const place = findPlace(older, i, newer.a[j], newer.b[j], newer.c[j]);
    copyRows(target, older, i, place);
    i = place;
    if (i < older.size && compareRow(older, i, newer.a[j], newer.b[j], newer.c[j]) === 0) i++;
    const at = target.size++;
    target.a[at] = newer.a[j];
    target.b[at] = newer.b[j];
    target.c[at] = newer.c[j];
    // biome-ignore lint/style/noNonNullAssertion: the ranges of a run have label sets; hot
    target.sets[at] = newer.sets![j];
  }
  copyRows(target, older, i, older.size);
  return target;
}

function allocateRows(capacity: number): Rows {
  const column = () => new Uint32Array(capacity);
  return { a: column(), b: column(), c: column(), sets: column(), size: 0 };
}

/** The first row from `start` on that is not before the given one. Cost: O(log distance). */
function findPlace(rows: Rows, start: number, a: number, b: number, c: number): number {
  let step = 1;
  let low = start;
  while (low + step <= rows.size && compareRow(rows, low + step - 1, a, b, c) < 0) {
    low += step;
    step *= 2;
  }
  let high = Math.min(rows.size, low + step - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRow(rows, middle, a, b, c) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareRow(rows: Rows, i: number, a: number, b: number, c: number): number {
  return rows.a[i] - a || rows.b[i] - b || rows.c[i] - c;
}

/** Below this many rows a loop is faster than the copying of arrays. */
const FEW_ROWS = 16;

function copyRows(target: Rows, source: Rows, start: number, end: number): void {
  const at = target.size;
  target.size += end - start;
  if (end - start >= FEW_ROWS) {
    target.a.set(source.a.subarray(start, end), at);
    target.b.set(source.b.subarray(start, end), at);
    target.c.set(source.c.subarray(start, end), at);
    target.sets.set(source.sets.subarray(start, end), at);
    return;
  }
  for (let i = start, to = at; i < end; i++, to++) {
    target.a[to] = source.a[i];
    target.b[to] = source.b[i];
    target.c[to] = source.c[i];
    target.sets[to] = source.sets[i];
  }
}
