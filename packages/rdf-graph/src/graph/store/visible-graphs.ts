import type { TermId } from '../port/term-kind.ts';
import { Permutation } from './permutation.ts';
import { Range } from './range.ts';
import type { Run } from './run.ts';
import { Pace } from './scheduler.ts';

/** Looking at a row that does not show, whose memory may be touched for the first time, in the unit of {@link Pace}. */
const WORK_PER_ROW = 8;

/** Looking whether a later run covers a row, per run, in the unit of {@link Pace}. */
const WORK_PER_COVER = 40;

/** The graphs that hold a visible quad, by id; later runs cover earlier ones. Cost: O(graphs) where each shows one. */
export function* visibleGraphs(runs: readonly Run[], permitted: Uint8Array): Generator<undefined, Uint32Array> {
  const pace = new Pace();
  const visible = new Set<TermId>();
  const later = new Set<TermId>();
  for (let at = runs.length - 1; at >= 0; at--) {
    const { graphs } = runs[at].arrays;
    for (let block = 0; block < graphs.length; block++) {
      const graph = graphs[block];
      if (visible.has(graph)) continue;
      if (pace.did(1)) yield;
      if (yield* showsOne(runs, at, block, later.has(graph), permitted, pace)) visible.add(graph);
    }
    graphs.forEach((graph) => void later.add(graph));
  }
  return Uint32Array.from(visible).sort();
}

/** Returns true if one quad of a run's block is permitted and no later run covers it. */
function* showsOne(
  runs: readonly Run[],
  at: number,
  block: number,
  isInLater: boolean,
  permitted: Uint8Array,
  pace: Pace,
): Generator<undefined, boolean> {
  const { graphs, graphStarts, permutations } = runs[at].arrays;
  const { a, b, c, sets } = permutations[Permutation.spo];
  const end = graphStarts[block + 1];
  for (let row = graphStarts[block]; row < end; row++) {
    const isPermitted = permitted[sets[row]] === 1;
    if (isPermitted && !isInLater) return true;
    if (isPermitted && !isCovered(runs, at, graphs[block], a[row], b[row], c[row])) return true;
    if (pace.did(isPermitted ? WORK_PER_COVER * (runs.length - at) : WORK_PER_ROW)) yield;
  }
  return false;
}

function isCovered(runs: readonly Run[], at: number, graph: TermId, s: TermId, p: TermId, o: TermId): boolean {
  const range = new Range();
  for (let later = at + 1; later < runs.length; later++) {
    const block = runs[later].block(graph);
    if (block >= 0 && runs[later].seek(range, Permutation.spo, block, s, p, o) > 0) return true;
  }
  return false;
}
