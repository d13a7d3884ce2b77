import { lowerBound } from './permutation.ts';
import type { TermId } from './term-kind.ts';

/** Blocks with fewer rows are searched without a directory. */
export const DIRECTORY_ROWS = 2048;

/**
 * Where each value of the first column starts, in one block of one permutation: an offset per id where ids are dense,
 * else the distinct values. Cost of a look-up: O(1), or O(log distinct values).
 */
export interface Directory {
  readonly first: TermId;
  /** For dense ids: start of id `first + i`, one entry more than ids; else undefined. */
  readonly offsets: Uint32Array | undefined;
  /** The distinct values, sorted. */
  readonly keys: Uint32Array;
  /** Where each distinct value starts; one entry more than keys. */
  readonly starts: Uint32Array;
}

/** Builds the directory of `[start, end)` of a sorted column. Cost: O(rows). */
export function createDirectory(column: Uint32Array, start: number, end: number): Directory {
  let distinct = 0;
  for (let i = start; i < end; i++) if (i === start || column[i] !== column[i - 1]) distinct++;
  const keys = new Uint32Array(distinct);
  const starts = new Uint32Array(distinct + 1);
  let at = 0;
  for (let i = start; i < end; i++) {
    if (i > start && column[i] === column[i - 1]) continue;
    keys[at] = column[i];
    starts[at++] = i;
  }
  starts[distinct] = end;
  const first = keys[0] ?? 0;
  const span = distinct === 0 ? 0 : keys[distinct - 1] - first + 1;
  const offsets = distinct > 64 && span <= 8 * distinct + 1024 ? denseOffsets(keys, starts, first, span) : undefined;
  return { first, offsets, keys, starts };
}

function denseOffsets(keys: Uint32Array, starts: Uint32Array, first: TermId, span: number): Uint32Array {
  const offsets = new Uint32Array(span + 1);
  let at = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] - first;
    while (at <= key) offsets[at++] = starts[i];
  }
  while (at <= span) offsets[at++] = starts[keys.length];
  return offsets;
}

/** The index of a value among the distinct ones, or -1. */
export function findKey(directory: Directory, key: TermId): number {
  const at = lowerBound(directory.keys, 0, directory.keys.length, key);
  return directory.keys[at] === key ? at : -1;
}
