import type { TermArena } from './term-arena.ts';

/** Terms that are looked at between two chances to pause. */
const LOOKS_PER_STEP = 32_768;
/** Ranges no longer than this are sorted by insertion. */
const MAX_INSERTION = 8;

/**
 * Numbers of the texts of an arena in ascending order of their bytes, which is that of code points. Multikey quicksort
 * (Bentley and Sedgewick, 1997): each byte of a shared beginning is looked at once. Cost: O(bytes + texts log texts).
 * Yields where it may pause.
 */
export function* sortTerms(arena: TermArena): Generator<void, Uint32Array<ArrayBuffer>> {
  const order = new Uint32Array(arena.size);
  for (let number = 0; number < order.length; number++) order[number] = number;
  const ranges = [0, arena.size, 0];
  let looks = 0;
  while (ranges.length > 0) {
    const at = ranges.length - 3;
    const [start, end, depth] = [ranges[at], ranges[at + 1], ranges[at + 2]];
    ranges.length = at;
    looks += end - start;
    if (end - start <= MAX_INSERTION) sortByInsertion(arena, order, start, end, depth);
    else partition(arena, order, start, end, depth, ranges);
    if (looks < LOOKS_PER_STEP) continue;
    looks = 0;
    yield;
  }
  return order;
}

/** Parts a range by the byte at `depth` into lower, equal and higher, and pushes what is left to sort of them. */
function partition(
  arena: TermArena,
  order: Uint32Array,
  start: number,
  end: number,
  depth: number,
  ranges: number[],
): void {
  const pivot = choosePivot(arena, order, start, end, depth);
  let lower = start;
  let higher = end;
  for (let i = start; i < higher; ) {
    const number = order[i];
    const byte = byteAt(arena, number, depth);
    if (byte === pivot) {
      i++;
    } else if (byte < pivot) {
      order[i++] = order[lower];
      order[lower++] = number;
    } else {
      order[i] = order[--higher];
      order[higher] = number;
    }
  }
  if (lower - start > 1) ranges.push(start, lower, depth);
  if (pivot >= 0 && higher - lower > 1) ranges.push(lower, higher, depth + 1);
  if (end - higher > 1) ranges.push(higher, end, depth);
}

/** The median of three bytes. */
function choosePivot(arena: TermArena, order: Uint32Array, start: number, end: number, depth: number): number {
  const a = byteAt(arena, order[start], depth);
  const b = byteAt(arena, order[(start + end) >>> 1], depth);
  const c = byteAt(arena, order[end - 1], depth);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function sortByInsertion(arena: TermArena, order: Uint32Array, start: number, end: number, depth: number): void {
  for (let i = start + 1; i < end; i++) {
    const number = order[i];
    let at = i;
    while (at > start && compareFrom(arena, order[at - 1], number, depth) > 0) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = number;
  }
}

function compareFrom(arena: TermArena, a: number, b: number, depth: number): number {
  for (let at = depth; ; at++) {
    const x = byteAt(arena, a, at);
    const difference = x - byteAt(arena, b, at);
    if (difference !== 0 || x < 0) return difference;
  }
}

/** A byte of a text; -1 behind its end. */
function byteAt({ bytes, offsets }: TermArena, number: number, depth: number): number {
  const at = offsets[number] + depth;
  return at < offsets[number + 1] ? bytes[at] : -1;
}
