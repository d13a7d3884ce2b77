import { PERMUTATION_COLUMNS, Permutation, type PermutationId } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import type { QuadIdsCallback, Snapshot } from '../../store/snapshot.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import type { Later } from './later.ts';
import { type Pacer, STEP } from './pacer.ts';
import { createRowReader, type Layers } from './row-reader.ts';

/** Subject, predicate and object; 0 leaves one open. */
export type Pattern = readonly [s: TermId, p: TermId, o: TermId];

/** By which ids are given (1 subject, 2 predicate, 4 object): the permutation that begins with them. */
const BY_GIVEN: readonly PermutationId[] = [
  Permutation.spo,
  Permutation.spo,
  Permutation.pso,
  Permutation.spo,
  Permutation.osp,
  Permutation.osp,
  Permutation.pos,
  Permutation.spo,
];

/**
 * The rows of some graphs of a snapshot that match a pattern, to be read at once or in steps. Rows of several runs of
 * the store are merged while they are read: nothing is copied.
 */
export class Rows {
  /** How many rows there are at most: hidden ones may be among them. */
  readonly size: number;
  readonly #layers: readonly Layers[];
  readonly #permitted: Uint8Array;

  constructor(snapshot: Snapshot, graphs: Iterable<TermId>, pattern: Pattern) {
    const layers: Layers[] = [];
    let size = 0;
    for (const graph of graphs) {
      const found = seekLayers(snapshot, graph, pattern);
      if (found.ranges.length === 0) continue;
      layers.push(found);
      for (const { start, end } of found.ranges) size += end - start;
    }
    this.size = size;
    this.#layers = layers;
    this.#permitted = snapshot.permitted;
  }

  /** Whether any row is visible. */
  hasVisible(): boolean {
    return this.size > 0 && this.some(() => true);
  }

  /** Whether any visible row passes a test. */
  some(test: (s: TermId, p: TermId, o: TermId) => boolean): boolean {
    let isFound = false;
    const visit: QuadIdsCallback = (s, p, o) => {
      isFound ||= test(s, p, o);
    };
    for (const layers of this.#layers) {
      const reader = createRowReader(layers, this.#permitted);
      while (!isFound && reader.read(16, visit));
      if (isFound) return true;
    }
    return false;
  }

  /** Calls back with every visible row; in steps where there are many. */
  read(pacer: Pacer, visit: QuadIdsCallback): Later<void> {
    if (this.size > STEP) return this.#readInSteps(pacer, visit);
    pacer.note(this.size);
    for (const layers of this.#layers) createRowReader(layers, this.#permitted).read(Number.POSITIVE_INFINITY, visit);
  }

  async #readInSteps(pacer: Pacer, visit: QuadIdsCallback): Promise<void> {
    for (const layers of this.#layers) {
      const reader = createRowReader(layers, this.#permitted);
      while (reader.read(STEP, visit)) {
        const turn = pacer.step();
        if (turn !== undefined) await turn;
      }
    }
  }
}

function seekLayers({ runs }: Snapshot, graph: TermId, pattern: Pattern): Layers {
  const given = pattern.reduce((mask, id, position) => (id === UNBOUND ? mask : mask | (1 << position)), 0);
  const permutation = BY_GIVEN[given];
  const [first, second, third] = PERMUTATION_COLUMNS[permutation];
  const [a, b, c] = [pattern[first], pattern[second], pattern[third]];
  const ranges: Range[] = [];
  let range = new Range();
  for (const run of runs) {
    const block = run.block(graph);
    if (block < 0 || run.seek(range, permutation, block, a, b, c) === 0) continue;
    ranges.push(range);
    range = new Range();
  }
  return { graph, permutation, ranges };
}

/** Every graph in which quads are stored; what a viewer sees of some may be nothing. */
export function storedGraphs({ runs }: Snapshot): TermId[] {
  return [...new Set(runs.flatMap(({ arrays }) => [...arrays.graphs]))];
}
