import type { LabelSetId } from '@cairn/security';
import type { Allocate } from './memory.ts';
import { allocateColumns, lowerBound, type PermutationColumns, type SetColumn } from './permutation.ts';
import { Run } from './run.ts';
import { Pace, SLICE_WORK } from './scheduler.ts';

const COPY_ROWS = 1 << 17;

/** The cost of finding the place of a row, or of a block, in the unit of {@link Pace}. Copying a row costs half of one. */
const SEARCH_WORK = 100;

export interface MergeOptions {
  readonly allocate: Allocate;
  readonly emptySet: LabelSetId;
  /** True when nothing lies under `older`, so that marks of deletion can go. */
  readonly isBottom: boolean;
  /** How much work goes into one slice. Default {@link SLICE_WORK}. */
  readonly sliceWork?: number | undefined;
}

/** The rows of a permutation under way. A class: its shape and machine code outlive the merge, and many are small. */
class Target implements PermutationColumns {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly c: Uint32Array;
  readonly sets: SetColumn;
  at = 0;

  constructor({ a, b, c, sets }: PermutationColumns) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.sets = sets;
  }
}

/** Joins two runs, the newer one covering the older, in slices of a few milliseconds; small ones at once. */
export function* mergeRuns(older: Run, newer: Run, options: MergeOptions): Generator<void, Run> {
  const pace = new Pace(options.sliceWork ?? SLICE_WORK);
  const capacity = older.size + newer.size;
  const distinctSets = yield* mergedSets(older, newer, options, pace);
  const narrow = (distinctSets.at(-1) ?? 0) < 0x10000;
  const graphs = yield* union(older.arrays.graphs, newer.arrays.graphs, pace);
  const permutations: PermutationColumns[] = [];
  const starts = new Uint32Array(graphs.length + 1);
  for (let permutation = 0; permutation < 4; permutation++) {
    const target = new Target(allocateColumns(options.allocate, capacity, narrow));
    for (let i = 0; i < graphs.length; i++) {
      if (pace.did(SEARCH_WORK)) yield;
      starts[i] = target.at;
      const from = blockOf(older, permutation, graphs[i]);
      const over = blockOf(newer, permutation, graphs[i]);
      const merge = new BlockMerge(target, from, over, options, pace);
      while (!merge.run()) yield;
    }
    starts[graphs.length] = target.at;
    permutations.push(trimmed(target));
  }
  const size = starts[graphs.length];
  const blocks = withoutEmptyBlocks(graphs, starts);
  return new Run({ size, graphs: blocks.graphs, graphStarts: blocks.graphStarts, permutations, distinctSets });
}

/** Joins several runs, oldest first, in slices. */
export function* mergeAll(runs: readonly Run[], options: MergeOptions): Generator<void, Run> {
  let merged = runs[runs.length - 1];
  for (let i = runs.length - 2; i >= 0; i--) {
    merged = yield* mergeRuns(runs[i], merged, { ...options, isBottom: options.isBottom && i === 0 });
  }
  return merged;
}

interface Block {
  readonly columns: PermutationColumns;
  readonly start: number;
  readonly end: number;
}

function blockOf(run: Run, permutation: number, graph: number): Block {
  const columns = run.arrays.permutations[permutation];
  const block = run.block(graph);
  if (block < 0) return { columns, start: 0, end: 0 };
  return { columns, start: run.arrays.graphStarts[block], end: run.arrays.graphStarts[block + 1] };
}

/** The merge of two blocks, which stops where a slice is full and goes on where it stopped. */
class BlockMerge {
  readonly #target: Target;
  readonly #older: Block;
  readonly #newer: Block;
  readonly #options: MergeOptions;
  readonly #pace: Pace;
  /** The next row of the older block, and of the newer one. */
  #i: number;
  #j: number;

  constructor(target: Target, older: Block, newer: Block, options: MergeOptions, pace: Pace) {
    this.#target = target;
    this.#older = older;
    this.#newer = newer;
    this.#options = options;
    this.#pace = pace;
    this.#i = older.start;
    this.#j = newer.start;
  }

  /** Does the work of one slice at most; true when everything is done. */
  run(): boolean {
    const { columns, end } = this.#older;
    const { a, b, c } = this.#newer.columns;
    while (this.#j < this.#newer.end) {
      const j = this.#j;
      const place = findRow(columns, this.#i, end, a[j], b[j], c[j]);
      if (this.#copyUntil(place)) return false;
      if (place < end && isRow(columns, place, a[j], b[j], c[j])) this.#i++;
      this.#take(j);
      this.#j++;
      if (this.#pace.did(SEARCH_WORK)) return false;
    }
    return !this.#copyUntil(end);
  }

  /** Copies rows of the older block; true when the slice was full, though rows may be left. */
  #copyUntil(end: number): boolean {
    while (this.#i < end) {
      const to = Math.min(end, this.#i + COPY_ROWS);
      copyRows(this.#target, this.#older.columns, this.#i, to);
      const work = (to - this.#i) >> 1;
      this.#i = to;
      if (this.#pace.did(work)) return true;
    }
    return false;
  }

  /** A mark of deletion goes where nothing lies under it. */
  #take(j: number): void {
    const { columns } = this.#newer;
    const { isBottom, emptySet } = this.#options;
    if (!isBottom || columns.sets[j] !== emptySet) copyRow(this.#target, columns, j);
  }
}

/** Below this many rows a loop is faster than the copying of arrays. */
const FEW_ROWS = 8;

function copyRows(target: Target, source: PermutationColumns, start: number, end: number): void {
  if (end - start < FEW_ROWS) {
    for (let i = start; i < end; i++) copyRow(target, source, i);
    return;
  }
  target.a.set(source.a.subarray(start, end), target.at);
  target.b.set(source.b.subarray(start, end), target.at);
  target.c.set(source.c.subarray(start, end), target.at);
  target.sets.set(source.sets.subarray(start, end), target.at);
  target.at += end - start;
}

function copyRow(target: Target, source: PermutationColumns, i: number): void {
  const at = target.at++;
  target.a[at] = source.a[i];
  target.b[at] = source.b[i];
  target.c[at] = source.c[i];
  target.sets[at] = source.sets[i];
}

function findRow(columns: PermutationColumns, start: number, end: number, a: number, b: number, c: number): number {
  let low = lowerBound(columns.a, start, end, a);
  if (low >= end || columns.a[low] !== a) return low;
  const endA = lowerBound(columns.a, low, end, a + 1);
  low = lowerBound(columns.b, low, endA, b);
  if (low >= endA || columns.b[low] !== b) return low;
  const endB = lowerBound(columns.b, low, endA, b + 1);
  return lowerBound(columns.c, low, endB, c);
}

function isRow(columns: PermutationColumns, i: number, a: number, b: number, c: number): boolean {
  return columns.a[i] === a && columns.b[i] === b && columns.c[i] === c;
}

function trimmed({ a, b, c, sets, at }: Target): PermutationColumns {
  return { a: a.subarray(0, at), b: b.subarray(0, at), c: c.subarray(0, at), sets: sets.subarray(0, at) };
}

/** May keep a set that no quad carries any more: then runs are checked row by row where they need not be. */
function* mergedSets(older: Run, newer: Run, options: MergeOptions, pace: Pace): Generator<void, Uint32Array> {
  const sets = yield* union(older.arrays.distinctSets, newer.arrays.distinctSets, pace);
  return options.isBottom && sets.includes(options.emptySet) ? sets.filter((set) => set !== options.emptySet) : sets;
}

/** The values of two sorted arrays, each once. The first of them where the second has nothing else. */
function* union(a: Uint32Array, b: Uint32Array, pace: Pace): Generator<void, Uint32Array> {
  if (b.length === 1 && a.includes(b[0])) return a;
  const joined = new Uint32Array(a.length + b.length);
  let size = 0;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const fromA = j >= b.length || a[i] <= b[j];
    const value = fromA && i < a.length ? a[i++] : b[j++];
    if (size === 0 || joined[size - 1] !== value) joined[size++] = value;
    if (pace.did(1)) yield;
  }
  return size === joined.length ? joined : joined.slice(0, size);
}

function withoutEmptyBlocks(
  graphs: Uint32Array,
  starts: Uint32Array,
): { graphs: Uint32Array; graphStarts: Uint32Array } {
  if (!hasEmptyBlock(starts)) return { graphs, graphStarts: starts };
  const kept = new Uint32Array(graphs.length);
  const keptStarts = new Uint32Array(graphs.length + 1);
  let size = 0;
  for (let i = 0; i < graphs.length; i++) {
    if (starts[i] === starts[i + 1]) continue;
    kept[size] = graphs[i];
    keptStarts[size++] = starts[i];
  }
  keptStarts[size] = starts[graphs.length];
  return { graphs: kept.slice(0, size), graphStarts: keptStarts.slice(0, size + 1) };
}

function hasEmptyBlock(starts: Uint32Array): boolean {
  for (let i = 1; i < starts.length; i++) if (starts[i] === starts[i - 1]) return true;
  return false;
}
