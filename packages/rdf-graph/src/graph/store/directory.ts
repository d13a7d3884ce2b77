import type { TermId } from '../port/term-kind.ts';
import { lowerBound, type PermutationColumns } from './permutation.ts';

/** Blocks with fewer rows are searched without a directory. */
export const DIRECTORY_ROWS = 2048;

/** Looked at in one slice: well below a millisecond of work, a few where the memory is touched for the first time. */
const ROWS_PER_SLICE: number = 1 << 16;

/** Where each value of the first column of a block starts. Cost of a look-up: O(1), or O(log distinct values). */
export interface Directory {
  readonly first: TermId;
  /** For dense ids: start of id `first + i`, one entry more than ids; else undefined. */
  readonly offsets: Uint32Array | undefined;
  /** Without offsets: the distinct values, sorted. */
  readonly keys: Uint32Array;
  /** Without offsets: where each distinct value starts; one entry more than keys. */
  readonly starts: Uint32Array;
}

/** A directory under way: of `[start, end)` of a sorted column, built some rows at a time. Cost of it all: O(rows). */
export class DirectoryBuilder {
  readonly #column: Uint32Array;
  readonly #start: number;
  readonly #end: number;
  /** The next row to look at: first to count the distinct values, then to note them. */
  #row: number;
  #distinct = 0;
  #filling: Filling | undefined;

  constructor(column: Uint32Array, start: number, end: number) {
    this.#column = column;
    this.#start = start;
    this.#end = end;
    this.#row = start;
  }

  /** Looks at so many rows, or their values, at most; gives the directory when it is done. */
  advance(rows: number): Directory | undefined {
    if (this.#filling === undefined) {
      this.#count(Math.min(this.#end, this.#row + rows));
      if (this.#row < this.#end) return undefined;
      this.#row = this.#start;
      this.#filling = this.#createFilling();
      return undefined;
    }
    this.#fill(this.#filling, Math.min(this.#end, this.#row + rows));
    if (this.#row < this.#end) return undefined;
    const { at, offsets, starts } = this.#filling;
    if (offsets === undefined) starts[at] = this.#end;
    else offsets.fill(this.#end, at);
    return this.#filling;
  }

  #count(stop: number): void {
    const column = this.#column;
    let distinct = this.#distinct;
    let row = this.#row;
    if (row === this.#start && row < stop) {
      distinct = 1;
      row++;
    }
    for (; row < stop; row++) if (column[row] !== column[row - 1]) distinct++;
    this.#distinct = distinct;
    this.#row = row;
  }

  #createFilling(): Filling {
    const distinct = this.#distinct;
    const first = this.#column[this.#start] ?? 0;
    const span = distinct === 0 ? 0 : this.#column[this.#end - 1] - first + 1;
    const isDense = distinct > 64 && span <= 8 * distinct + 1024;
    if (isDense) return { first, at: 0, offsets: new Uint32Array(span + 1), keys: NONE, starts: NONE };
    return { first, at: 0, offsets: undefined, keys: new Uint32Array(distinct), starts: new Uint32Array(distinct + 1) };
  }

  #fill(filling: Filling, stop: number): void {
    const column = this.#column;
    const { first, offsets, keys, starts } = filling;
    let { at } = filling;
    for (let row = this.#row; row < stop; row++) {
      const value = column[row];
      if (row > this.#start && value === column[row - 1]) continue;
      if (offsets === undefined) {
        keys[at] = value;
        starts[at++] = row;
      } else while (at <= value - first) offsets[at++] = row;
    }
    filling.at = at;
    this.#row = stop;
  }
}

interface Filling extends Directory {
  /** How many of the offsets, or of the distinct values, are there. */
  at: number;
}

const NONE = new Uint32Array(0);

/** Builds the directory of `[start, end)` of a sorted column, in slices. Cost: O(rows). */
export function* createDirectory(column: Uint32Array, start: number, end: number): Generator<undefined, Directory> {
  const builder = new DirectoryBuilder(column, start, end);
  for (;;) {
    const built = builder.advance(ROWS_PER_SLICE);
    if (built !== undefined) return built;
    yield;
  }
}

/** The index of a value among the distinct ones, or -1. */
export function findKey(directory: Directory, key: TermId): number {
  const at = lowerBound(directory.keys, 0, directory.keys.length, key);
  return directory.keys[at] === key ? at : -1;
}

/** Runs with fewer graphs are asked graph by graph. */
export const DIRECTORY_GRAPHS = 16;

/** Graphs that hold a term in the first column of one permutation. Cost of a look-up: O(1). */
export interface GraphDirectory {
  /** Where the graphs of each id start; one entry more than ids. */
  readonly offsets: Uint32Array;
  /** The graphs of one id after those of the other, sorted. */
  readonly graphs: Uint32Array;
}

/** Builds the directory of a sorted permutation, whose graphs lie in blocks. Cost: O(rows + ids). */
export function createGraphDirectory(
  { a }: PermutationColumns,
  graphs: Uint32Array,
  graphStarts: Uint32Array,
): GraphDirectory {
  let last = 0;
  for (let block = 0; block < graphs.length; block++) last = Math.max(last, a[graphStarts[block + 1] - 1] ?? 0);
  const offsets = new Uint32Array(last + 2);
  forEachKey(a, graphStarts, (key) => {
    offsets[key + 1]++;
  });
  for (let id = 0; id <= last; id++) offsets[id + 1] += offsets[id];
  const next = offsets.slice();
  const found = new Uint32Array(offsets[last + 1]);
  forEachKey(a, graphStarts, (key, block) => {
    found[next[key]++] = graphs[block];
  });
  return { offsets, graphs: found };
}

export function graphsOf({ offsets, graphs }: GraphDirectory, id: TermId): Uint32Array {
  return id + 1 < offsets.length ? graphs.subarray(offsets[id], offsets[id + 1]) : NONE;
}

/** Each distinct value of each block. */
function forEachKey(a: Uint32Array, graphStarts: Uint32Array, visit: (key: TermId, block: number) => void): void {
  for (let block = 0; block + 1 < graphStarts.length; block++) {
    const start = graphStarts[block];
    for (let i = start; i < graphStarts[block + 1]; i++) if (i === start || a[i] !== a[i - 1]) visit(a[i], block);
  }
}
