import type { LabelSetId } from '@cairn/security';
import type { Allocate } from './memory.ts';
import { allocateColumns, lowerBound, type PermutationColumns } from './permutation.ts';
import { Run } from './run.ts';

const SLICE_ROWS = 4096;
const COPY_ROWS = 1 << 17;

/** What a merge needs to know. */
export interface MergeOptions {
  readonly allocate: Allocate;
  /** The label set that marks a deleted quad. */
  readonly emptySet: LabelSetId;
  /** Whether nothing lies under `older`, so that marks of deletion can go. */
  readonly isBottom: boolean;
}

/** Where the rows of one permutation go. */
interface Target extends PermutationColumns {
  at: number;
}

/** Joins two runs, the newer one covering the older, in slices: it yields after a few thousand rows of work. */
export function* mergeRuns(older: Run, newer: Run, options: MergeOptions): Generator<void, Run> {
  const capacity = older.size + newer.size;
  const distinctSets = mergedSets(older, newer, options);
  const narrow = (distinctSets.at(-1) ?? 0) < 0x10000;
  const graphs = mergedGraphs(older, newer);
  const permutations: PermutationColumns[] = [];
  const starts = new Uint32Array(graphs.length + 1);
  for (let permutation = 0; permutation < 4; permutation++) {
    const target = { ...allocateColumns(options.allocate, capacity, narrow), at: 0 };
    for (let i = 0; i < graphs.length; i++) {
      starts[i] = target.at;
      const from = blockOf(older, permutation, graphs[i]!);
      const over = blockOf(newer, permutation, graphs[i]!);
      yield* mergeBlock(target, from, over, options);
    }
    starts[graphs.length] = target.at;
    permutations.push(trimmed(target));
    yield;
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
  let work = 0;
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
    if (++work % SLICE_ROWS === 0) yield;
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
    if (to - from === COPY_ROWS) yield;
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

function mergedGraphs(older: Run, newer: Run): Uint32Array {
  return Uint32Array.from(new Set([...older.arrays.graphs, ...newer.arrays.graphs])).sort();
}

/** May keep a set that no quad carries any more: then runs are checked row by row where they need not be. */
function mergedSets(older: Run, newer: Run, options: MergeOptions): Uint32Array {
  const sets = new Set([...older.arrays.distinctSets, ...newer.arrays.distinctSets]);
  if (options.isBottom) sets.delete(options.emptySet);
  return Uint32Array.from(sets).sort();
}

function withoutEmptyBlocks(
  graphs: Uint32Array,
  starts: Uint32Array,
): { graphs: Uint32Array; graphStarts: Uint32Array } {
  const kept: number[] = [];
  const keptStarts: number[] = [];
  for (let i = 0; i < graphs.length; i++) {
    if (starts[i] === starts[i + 1]) continue;
    kept.push(graphs[i]!);
    keptStarts.push(starts[i]!);
  }
  keptStarts.push(starts[graphs.length]!);
  return { graphs: Uint32Array.from(kept), graphStarts: Uint32Array.from(keptStarts) };
}
