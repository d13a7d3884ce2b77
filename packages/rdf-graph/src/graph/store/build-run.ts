import type { LabelSetId } from '@cairn/security';
import type { Allocate } from './memory.ts';
import { allocateColumns, type PermutationColumns, type SetColumn } from './permutation.ts';
import { Run } from './run.ts';
import { identityOrder, inSlices, sortByColumn } from './sort.ts';

/** Columns of quads in any order. */
export interface QuadColumns {
  readonly size: number;
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
  readonly sets: Uint32Array;
}

export type JoinSets = (a: LabelSetId, b: LabelSetId) => LabelSetId;

/** Sorts quads into a run, in slices. Equal quads become one, their label sets joined. It may change `columns.sets`. */
export function* buildRun(columns: QuadColumns, allocate: Allocate, join: JoinSets): Generator<void, Run> {
  const { size, s, p, o, g, sets } = columns;
  let order = identityOrder(size);
  for (const key of [o, p, s, g]) order = yield* sortByColumn(order, key);
  const spo = yield* joinEqual(order, columns, join);
  const byObject = yield* sortByColumn(spo, o);
  const manyGraphs = spo.length > 0 && g[spo[0]] !== g[spo[spo.length - 1]];
  const withGraph = function* (sorted: Uint32Array): Generator<void, Uint32Array> {
    return manyGraphs ? yield* sortByColumn(sorted, g) : sorted;
  };
  const pso = yield* withGraph(yield* sortByColumn(spo, p));
  const pos = yield* withGraph(yield* sortByColumn(byObject, p));
  const osp = yield* withGraph(byObject);
  const distinctSets = yield* distinctOf(spo, sets);
  const narrow = (distinctSets.at(-1) ?? 0) < 0x10000;
  const permutations: PermutationColumns[] = [];
  const plans = [
    [spo, s, p, o],
    [pso, p, s, o],
    [pos, p, o, s],
    [osp, o, s, p],
  ] as const;
  for (const [sorted, a, b, c] of plans) {
    const target = allocateColumns(allocate, sorted.length, narrow);
    yield* inSlices(sorted.length, (start, end) => {
      gather(target.a, sorted, a, start, end);
      gather(target.b, sorted, b, start, end);
      gather(target.c, sorted, c, start, end);
      gatherSets(target.sets, sorted, sets, start, end);
    });
    permutations.push(target);
  }
  const { graphs, graphStarts } = yield* graphBlocks(spo, g);
  return new Run({ size: spo.length, graphs, graphStarts, permutations, distinctSets });
}

function* joinEqual(order: Uint32Array, columns: QuadColumns, join: JoinSets): Generator<void, Uint32Array> {
  let kept = 0;
  yield* inSlices(order.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = order[i];
      const last = order[kept - 1];
      if (last === undefined || !isSameQuad(columns, row, last)) order[kept++] = row;
      else if (columns.sets[row] !== columns.sets[last]) {
        columns.sets[last] = join(columns.sets[last], columns.sets[row]);
      }
    }
  });
  return kept === order.length ? order : order.slice(0, kept);
}

function isSameQuad({ s, p, o, g }: QuadColumns, row: number, other: number): boolean {
  return s[row] === s[other] && p[row] === p[other] && o[row] === o[other] && g[row] === g[other];
}

/** Apart from {@link gatherSets}: code that sees one kind of array is twice as fast. */
function gather(target: Uint32Array, order: Uint32Array, column: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) target[i] = column[order[i]];
}

function gatherSets(target: SetColumn, order: Uint32Array, column: Uint32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) target[i] = column[order[i]];
}

function* distinctOf(order: Uint32Array, sets: Uint32Array): Generator<void, Uint32Array> {
  const distinct = new Set<number>();
  yield* inSlices(order.length, (start, end) => {
    let last = -1;
    for (let i = start; i < end; i++) {
      const set = sets[order[i]];
      if (set !== last) distinct.add(set);
      last = set;
    }
  });
  return Uint32Array.from(distinct).sort();
}

function* graphBlocks(
  order: Uint32Array,
  g: Uint32Array,
): Generator<void, { graphs: Uint32Array; graphStarts: Uint32Array }> {
  const graphs: number[] = [];
  const starts: number[] = [];
  yield* inSlices(order.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const graph = g[order[i]];
      if (graphs.at(-1) === graph) continue;
      graphs.push(graph);
      starts.push(i);
    }
  });
  starts.push(order.length);
  return { graphs: new Uint32Array(graphs), graphStarts: new Uint32Array(starts) };
}
