import type { LabelSetId } from '@cairn/security';
import type { Allocate } from './memory.ts';
import { allocateColumns, lowerBound, type PermutationColumns } from './permutation.ts';
import { Run } from './run.ts';
import { Pace, SLICE_WORK } from './scheduler.ts';

const COPY_ROWS = 1 << 17;

/** The cost of finding the place of a row, or of a block, in the unit of {@link Pace}. Copying a row costs half of one. */
const SEARCH_WORK = 100;

/** What a merge needs to know. */
export interface MergeOptions {
  readonly allocate: Allocate;
  /** The label set that marks a deleted quad. */
  readonly emptySet: LabelSetId;
  /** Whether nothing lies under `older`, so that marks of deletion can go. */
  readonly isBottom: boolean;
  /** How much work goes into one slice. Default {@link SLICE_WORK}. */
  readonly sliceWork?: number | undefined;
}

/** Where the rows of one permutation go. */
interface Target extends PermutationColumns {
  at: number;
  readonly pace: Pace;
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
    const target = { ...allocateColumns(options.allocate, capacity, narrow), at: 0, pace };
    for (let i = 0; i < graphs.length; i++) {
      if (pace.did(SEARCH_WORK)) yield;
      starts[i] = target.at;
      const from = blockOf(older, permutation, graphs[i]!);
      const over = blockOf(newer, permutation, graphs[i]!);
      yield* mergeBlock(target, from, over, options);
    }
    starts[graphs.length] = target.at;
    permutations.push(trimmed(target));
  }
  return new Run({ size: starts[graphs.length]!, ...withoutEmptyBlocks(graphs, starts), permutations, distinctSets });
}

/** Joins several runs, oldest first, in slices. */
export function* mergeAll(runs: readonly Run[], options: MergeOptions): Generator<void, Run> {
  let merged = runs.at(-1)!;
  for (let i = runs.length - 2; i >= 0; i--) {
    merged = yield* mergeRuns(runs[i]!, merged, { ...options, isBottom: options.isBottom && i === 0 });
  }
  return merged;
}

interface Block {
  readonly columns: PermutationColumns;
  readonly start: number;
  readonly end: number;
}

function blockOf(run: Run, permutation: number, graph: number): Block {
  const columns = run.arrays.permutations[permutation]!;
  const block = run.block(graph);
  if (block < 0) return { columns, start: 0, end: 0 };
  return { columns, start: run.arrays.graphStarts[block]!, end: run.arrays.graphStarts[block + 1]! };
}

function* mergeBlock(target: Target, older: Block, newer: Block, options: MergeOptions): Generator<void, void> {
  const { a, b, c, sets } = newer.columns;
  let i = older.start;
  for (let j = newer.start; j < newer.end; j++) {
    const place = findRow(older.columns, i, older.end, a[j]!, b[j]!, c[j]!);
    yield* copyRows(target, older.columns, i, place);
    i = place;
    if (i < older.end && isRow(older.columns, i, a[j]!, b[j]!, c[j]!)) i++;
    const dropped = options.isBottom && sets[j] === options.emptySet;
    if (!dropped) {
      const at = target.at++;
      target.a[at] = a[j]!;
      target.b[at] = b[j]!;
      target.c[at] = c[j]!;
      target.sets[at] = sets[j]!;
    }
    if (target.pace.did(SEARCH_WORK)) yield;
  }
  yield* copyRows(target, older.columns, i, older.end);
}

function* copyRows(target: Target, source: PermutationColumns, start: number, end: number): Generator<void, void> {
  for (let from = start; from < end; from += COPY_ROWS) {
    const to = Math.min(end, from + COPY_ROWS);
    if (to - from < 8) {
      for (let i = from; i < to; i++) copyRow(target, source, i);
      continue;
    }
    target.a.set(source.a.subarray(from, to), target.at);
    target.b.set(source.b.subarray(from, to), target.at);
    target.c.set(source.c.subarray(from, to), target.at);
    target.sets.set(source.sets.subarray(from, to), target.at);
    target.at += to - from;
    if (target.pace.did((to - from) >> 1)) yield;
  }
}

function copyRow(target: Target, source: PermutationColumns, i: number): void {
  const at = target.at++;
  target.a[at] = source.a[i]!;
  target.b[at] = source.b[i]!;
  target.c[at] = source.c[i]!;
  target.sets[at] = source.sets[i]!;
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
  return options.isBottom ? sets.filter((set) => set !== options.emptySet) : sets;
}

/** The values of two sorted arrays, each once. */
function* union(a: Uint32Array, b: Uint32Array, pace: Pace): Generator<void, Uint32Array> {
  const joined = new Uint32Array(a.length + b.length);
  let size = 0;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const fromA = j >= b.length || a[i]! <= b[j]!;
    const value = fromA && i < a.length ? a[i++]! : b[j++]!;
    if (size === 0 || joined[size - 1] !== value) joined[size++] = value;
    if (pace.did(1)) yield;
  }
  return size === joined.length ? joined : joined.slice(0, size);
}

function withoutEmptyBlocks(
  graphs: Uint32Array,
  starts: Uint32Array,
): { graphs: Uint32Array; graphStarts: Uint32Array } {
  const kept = new Uint32Array(graphs.length);
  const keptStarts = new Uint32Array(graphs.length + 1);
  let size = 0;
  for (let i = 0; i < graphs.length; i++) {
    if (starts[i] === starts[i + 1]) continue;
    kept[size] = graphs[i]!;
    keptStarts[size++] = starts[i]!;
  }
  keptStarts[size] = starts[graphs.length]!;
  return { graphs: kept.slice(0, size), graphStarts: keptStarts.slice(0, size + 1) };
}
