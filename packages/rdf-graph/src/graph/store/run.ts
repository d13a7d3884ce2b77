import { runAtOnce } from '@cairn/events';
import type { TermId } from '../port/term-kind.ts';
import {
  createDirectory,
  createGraphDirectory,
  DIRECTORY_GRAPHS,
  DIRECTORY_ROWS,
  type Directory,
  DirectoryBuilder,
  findKey,
  type GraphDirectory,
  graphsOf,
} from './directory.ts';
import { lowerBound, type PermutationColumns, type PermutationId } from './permutation.ts';
import { Range } from './range.ts';

/** Each takes some bytes per subject or object of a predicate. */
const MAX_SECOND_DIRECTORIES = 64;

/** The directory of a block of so many rows is built by the first look-up: ten milliseconds or so. */
const ROWS_AT_ONCE: number = 1 << 19;

/** The directory of a large block grows by so many rows with each look-up, which searches meanwhile at a like cost. */
const ROWS_PER_LOOK_UP = 512;

/** Arrays of a run; every permutation holds the same quads. */
export interface RunArrays {
  readonly size: number;
  /** The graphs, sorted. */
  readonly graphs: Uint32Array;
  /** Where each graph's block starts; one entry more than graphs. */
  readonly graphStarts: Uint32Array;
  /** Columns by {@link PermutationId}. */
  readonly permutations: readonly PermutationColumns[];
  /** The distinct label sets, sorted. */
  readonly distinctSets: Uint32Array;
}

/**
 * An immutable sorted set of quads, each once, with its label set.
 * Runs lie over one another: in a newer run the empty label set says that the quad is deleted.
 */
export class Run {
  readonly arrays: RunArrays;
  readonly size: number;
  readonly #directories: (Directory | undefined)[][] = [[], [], [], []];
  readonly #builders: (DirectoryBuilder | undefined)[][] = [[], [], [], []];
  readonly #distinctSeconds = new Map<string, number>();
  readonly #graphDirectories: (GraphDirectory | undefined)[] = [];
  readonly #secondDirectories = new Map<string, Directory>();

  constructor(arrays: RunArrays) {
    this.arrays = arrays;
    this.size = arrays.size;
  }

  /** The index of a graph's block, or -1. */
  block(graph: TermId): number {
    const { graphs } = this.arrays;
    if (graphs.length === 1) return graphs[0] === graph ? 0 : -1;
    const at = lowerBound(graphs, 0, graphs.length, graph);
    return graphs[at] === graph ? at : -1;
  }

  /** The directory of the first column of a block; `undefined` for a small block, and for a large one at first. */
  #growDirectory(permutation: PermutationId, block: number): Directory | undefined {
    const start = this.arrays.graphStarts[block];
    const end = this.arrays.graphStarts[block + 1];
    if (end - start < DIRECTORY_ROWS) return undefined;
    const column = this.arrays.permutations[permutation].a;
    const builders = this.#builders[permutation];
    let created: Directory | undefined;
    if (end - start <= ROWS_AT_ONCE) created = runAtOnce(createDirectory(column, start, end));
    else {
      builders[block] ??= new DirectoryBuilder(column, start, end);
      created = builders[block].advance(ROWS_PER_LOOK_UP);
    }
    if (created === undefined) return undefined;
    builders[block] = undefined;
    this.#directories[permutation][block] = created;
    return created;
  }

  /** The graphs that may hold quads with a term first in a permutation, sorted. Few graphs are all given. */
  graphsWith(permutation: PermutationId, term: TermId): Uint32Array {
    const { graphs, graphStarts, permutations } = this.arrays;
    if (graphs.length < DIRECTORY_GRAPHS) return graphs;
    this.#graphDirectories[permutation] ??= createGraphDirectory(permutations[permutation], graphs, graphStarts);
    return graphsOf(this.#graphDirectories[permutation], term);
  }

  /**
   * The directory of the second column among the rows of a block that start with `first`; `undefined` for few rows or
   * ids that are not dense. Built when first asked for, in slices; a bounded number is kept.
   */
  *secondDirectory(
    permutation: PermutationId,
    block: number,
    first: TermId,
  ): Generator<undefined, Directory | undefined> {
    const key = `${permutation} ${block} ${first}`;
    const known = this.#secondDirectories.get(key);
    if (known !== undefined) return known;
    const range = new Range();
    if (this.seek(range, permutation, block, first, 0, 0) < DIRECTORY_ROWS) return undefined;
    const created = yield* createDirectory(range.b, range.start, range.end);
    if (created.offsets === undefined) return undefined;
    if (this.#secondDirectories.size >= MAX_SECOND_DIRECTORIES) this.#secondDirectories.clear();
    this.#secondDirectories.set(key, created);
    return created;
  }

  /**
   * How many distinct values the second column has among the rows of a block that start with `first`; with 0 the
   * distinct values of the first column. Counted once: O(rows). For planning.
   */
  distinctSeconds(permutation: PermutationId, block: number, first: TermId): number {
    const key = `${permutation} ${block} ${first}`;
    const known = this.#distinctSeconds.get(key);
    if (known !== undefined) return known;
    const range = new Range();
    this.seek(range, permutation, block, first, 0, 0);
    const column = first === 0 ? range.a : range.b;
    let distinct = 0;
    for (let i = range.start; i < range.end; i++) if (i === range.start || column[i] !== column[i - 1]) distinct++;
    this.#distinctSeconds.set(key, distinct);
    return distinct;
  }

  /**
   * Writes the rows of a block that start with the given ids into `range`; 0 leaves a column open, and every column
   * after it. Returns how many rows there are.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every look-up comes through here
  seek(range: Range, permutation: PermutationId, block: number, a: TermId, b: TermId, c: TermId): number {
    const columns = this.arrays.permutations[permutation];
    range.a = columns.a;
    range.b = columns.b;
    range.c = columns.c;
    range.sets = columns.sets;
    let start = this.arrays.graphStarts[block];
    let end = this.arrays.graphStarts[block + 1];
    if (a !== 0) {
      const directory = this.#directories[permutation][block] ?? this.#growDirectory(permutation, block);
      if (directory === undefined) {
        start = lowerBound(columns.a, start, end, a);
        end = upperBound(columns.a, start, end, a);
      } else if (directory.offsets !== undefined) {
        const key = a - directory.first;
        if (key < 0 || key >= directory.offsets.length - 1) end = start;
        else {
          start = directory.offsets[key];
          end = directory.offsets[key + 1];
        }
      } else {
        const key = findKey(directory, a);
        if (key < 0) end = start;
        else {
          start = directory.starts[key];
          end = directory.starts[key + 1];
        }
      }
      if (b !== 0 && start < end) {
        start = lowerBound(columns.b, start, end, b);
        end = upperBound(columns.b, start, end, b);
        if (c !== 0 && start < end) {
          start = lowerBound(columns.c, start, end, c);
          end = start < end && columns.c[start] === c ? start + 1 : start;
        }
      }
    }
    range.start = start;
    range.end = end;
    return end - start;
  }
}

function upperBound(column: Uint32Array, start: number, end: number, key: TermId): number {
  if (start >= end || column[start] !== key) return start;
  // Most stretches are short: look near the start before halving the rest.
  let step = 1;
  let low = start;
  while (low + step < end && column[low + step] === key) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] === key) low = middle + 1;
    else high = middle;
  }
  return low;
}
