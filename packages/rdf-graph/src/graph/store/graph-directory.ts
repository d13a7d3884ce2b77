import type { TermId } from '../port/term-kind.ts';
import type { PermutationColumns } from './permutation.ts';

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

const NONE = new Uint32Array(0);

/** Each distinct value of each block. */
function forEachKey(a: Uint32Array, graphStarts: Uint32Array, visit: (key: TermId, block: number) => void): void {
  for (let block = 0; block + 1 < graphStarts.length; block++) {
    const start = graphStarts[block];
    for (let i = start; i < graphStarts[block + 1]; i++) if (i === start || a[i] !== a[i - 1]) visit(a[i], block);
  }
}
