import type { LabelSetId } from '@cairn/security';
import type { Allocate } from './memory.ts';
import { allocateColumns, type PermutationColumns, type SetColumn } from './permutation.ts';
import { Run } from './run.ts';
import { identityOrder, sortByColumn } from './sort.ts';

/** Columns of quads in any order. */
export interface QuadColumns {
  readonly size: number;
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  readonly sets: Uint32Array;
}

/** Joins the label sets of a quad that occurs twice. */
export type JoinSets = (a: LabelSetId, b: LabelSetId) => LabelSetId;

/**
 * Sorts quads into a run, in slices: it yields after each step of O(quads). Equal quads become one, their label sets
 * joined. `columns.sets` may be changed.
 */
export function* buildRun(columns: QuadColumns, allocate: Allocate, join: JoinSets): Generator<void, Run> {
  const { size, s, p, o, g, sets } = columns;
  let order = identityOrder(size);
  for (const key of [o, p, s, g]) {
    order = sortByColumn(order, key);
    yield;
  }
  order = joinEqual(order, columns, join);
  const spo = order;
  const byObject = sortByColumn(spo, o);
  yield;
  const manyGraphs = hasManyGraphs(spo, g);
  const withGraph = (sorted: Uint32Array): Uint32Array => (manyGraphs ? sortByColumn(sorted, g) : sorted);
  const pso = withGraph(sortByColumn(spo, p));
  yield;
  const pos = withGraph(sortByColumn(byObject, p));
  yield;
  const osp = withGraph(byObject);
  yield;
  const distinctSets = distinctOf(spo, sets);
  const narrow = (distinctSets.at(-1) ?? 0) < 0x10000;
  const permutations: PermutationColumns[] = [];
  const plans = [
    [spo, s, p, o],
    [pso, p, s, o],
    [pos, p, o, s],
    [osp, o, s, p],
  ] as const;
  for (const [sorted, a, b, c] of plans) {
    const columns = allocateColumns(allocate, sorted.length, narrow);
    gather(columns.a, sorted, a);
    gather(columns.b, sorted, b);
    gather(columns.c, sorted, c);
    gather(columns.sets, sorted, sets);
    permutations.push(columns);
    yield;
  }
  return new Run({ size: spo.length, ...graphBlocks(spo, g), permutations, distinctSets });
}

function joinEqual(order: Uint32Array, { s, p, o, g, sets }: QuadColumns, join: JoinSets): Uint32Array {
  let kept = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i]!;
    const last = order[kept - 1];
    const same =
      last !== undefined && s[row] === s[last] && p[row] === p[last] && o[row] === o[last] && g[row] === g[last];
    if (same) {
      if (sets[row] !== sets[last]) sets[last] = join(sets[last]!, sets[row]!);
    } else order[kept++] = row;
  }
  return kept === order.length ? order : order.slice(0, kept);
}

function hasManyGraphs(order: Uint32Array, g: Uint32Array): boolean {
  return order.length > 0 && g[order[0]!] !== g[order[order.length - 1]!];
}

function gather(target: SetColumn, order: Uint32Array, column: Uint32Array): void {
  for (let i = 0; i < order.length; i++) target[i] = column[order[i]!]!;
}

function distinctOf(order: Uint32Array, sets: Uint32Array): Uint32Array {
  const distinct = new Set<number>();
  let last = -1;
  for (let i = 0; i < order.length; i++) {
    const set = sets[order[i]!]!;
    if (set === last) continue;
    distinct.add(set);
    last = set;
  }
  return Uint32Array.from(distinct).sort();
}

function graphBlocks(order: Uint32Array, g: Uint32Array): { graphs: Uint32Array; graphStarts: Uint32Array } {
  const graphs: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < order.length; i++) {
    const graph = g[order[i]!]!;
    if (graphs.at(-1) === graph) continue;
    graphs.push(graph);
    starts.push(i);
  }
  starts.push(order.length);
  return { graphs: Uint32Array.from(graphs), graphStarts: Uint32Array.from(starts) };
}
