import { gallop, type PermutationId } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import { seekByInSlices } from '../../store/snapshot.ts';
import type { TermId } from '../../store/term-kind.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { BATCH_ROWS, type Plan, type Steps, unitInput } from './batch.ts';
import type { Execution } from './execution.ts';
import type { PatternPlaces } from './pattern-join.ts';

/** What to read: a pattern whose fixed terms are a prefix of a permutation, and the variable is its next column. */
export interface RunScanOptions {
  readonly places: Pick<PatternPlaces, 'subject' | 'predicate' | 'object' | 'graph'>;
  readonly permutation: PermutationId;
  /** Which column (0, 1 or 2) of the permutation holds the variable. */
  readonly column: 0 | 1 | 2;
  readonly slot: number;
  /** Slots that get the number of rows of each value. */
  readonly countSlots: readonly number[];
  /** The general plan, for a default graph that is a merge of several. */
  readonly otherwise: Plan;
}

/** The distinct values of one variable of one pattern, with how often each occurs: by skipping over sorted rows. */
export class RunScan implements Plan {
  readonly #options: RunScanOptions;

  constructor(options: RunScanOptions) {
    this.#options = options;
  }

  *run(x: Execution, _input: Steps): Steps {
    const graph = this.#graph(x);
    if (graph === undefined) yield* this.#options.otherwise.run(x, unitInput());
    else yield* this.#scan(x, graph);
  }

  #graph(x: Execution): TermId | undefined {
    const { graph } = this.#options.places;
    if (graph.type === 'default') return x.dataset.defaultGraphs.length === 1 ? x.dataset.defaultGraphs[0] : undefined;
    if (graph.type === 'loop') return x.loopGraphs.get(graph.name);
    if (graph.type !== 'term') return undefined;
    const id = x.idOf(graph.term);
    return x.isNamedGraph(id) ? id : undefined;
  }

  *#scan(x: Execution, graph: TermId): Steps {
    const { places, permutation, column, slot, countSlots } = this.#options;
    const idOf = (place: typeof places.subject) => (place.type === 'term' ? x.idOf(place.term) : 0);
    const range = new Range();
    const [s, p, o] = [idOf(places.subject), idOf(places.predicate), idOf(places.object)];
    yield* seekByInSlices(x.snapshot, range, permutation, s, p, o, graph);
    const sorted = [range.a, range.b, range.c][column];
    let values = new Uint32Array(BATCH_ROWS);
    let counts = new Float64Array(BATCH_ROWS);
    let size = 0;
    const part = new Range();
    part.sets = range.sets;
    for (let at = range.start; at < range.end; ) {
      const value = sorted[at];
      const end = gallop(sorted, at, range.end, value + 1);
      part.start = at;
      part.end = end;
      const count = x.snapshot.countRange(part);
      if (count > 0) {
        values[size] = value;
        counts[size++] = count;
      }
      at = end;
      if (size === BATCH_ROWS) {
        yield toBatch(x, slot, countSlots, values, counts, size);
        values = new Uint32Array(BATCH_ROWS);
        counts = new Float64Array(BATCH_ROWS);
        size = 0;
      }
    }
    if (size > 0) yield toBatch(x, slot, countSlots, values, counts, size);
  }
}

function toBatch(
  x: Execution,
  slot: number,
  countSlots: readonly number[],
  values: Uint32Array,
  counts: Float64Array,
  size: number,
): { size: number; columns: (Uint32Array | undefined)[] } {
  const columns: (Uint32Array | undefined)[] = [];
  columns[slot] = values.subarray(0, size);
  if (countSlots.length > 0) {
    const numbers = new Uint32Array(size);
    for (let i = 0; i < size; i++) numbers[i] = x.idOf(integerLiteral(counts[i]));
    for (const countSlot of countSlots) columns[countSlot] = numbers;
  }
  return { size, columns };
}
