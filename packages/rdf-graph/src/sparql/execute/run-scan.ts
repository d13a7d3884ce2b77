import type { TermId } from '../../graph/port/term-kind.ts';
import { gallop, type PermutationId } from '../../graph/store/permutation.ts';
import { Range } from '../../graph/store/range.ts';
import { seekByInSlices } from '../../graph/store/snapshot.ts';
import type { PatternGraph, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { BATCH_ROWS, type Batch, type Plan, type Steps, unitInput } from './batch.ts';
import type { Execution } from './execution.ts';
import { constantGraphs, type GraphPlace, type PatternPlaces, type Place } from './pattern-join.ts';

/** Options of a scan: a pattern whose fixed terms are a prefix of a permutation, and the variable is its next column. */
export interface RunScanOptions {
  readonly pattern: TriplePattern | PatternPlaces;
  readonly permutation: PermutationId;
  /** Column (0, 1 or 2) of the permutation that holds the variable. */
  readonly column: 0 | 1 | 2;
  readonly slot: number;
  readonly countSlots: readonly number[];
  /** The general plan, for a default graph that is a merge of several. */
  readonly otherwise: Plan;
}

/** The distinct values of one variable of one pattern, with how often each occurs: by skipping over sorted rows. */
export function runScan(options: RunScanOptions): Plan {
  return (execution) => {
    const graph = graphOf(execution, options.pattern.graph);
    return graph === undefined ? options.otherwise(execution, unitInput()) : scan(execution, options, graph);
  };
}

/** Rows of the first batch: most variables have few values, and zeroing room for more costs more than all else. */
const FIRST_ROWS = 64;

/** The only graph to read; `undefined` where there is none, or more than one. */
function graphOf(execution: Execution, place: GraphPlace | PatternGraph): TermId | undefined {
  const graphs = constantGraphs(execution, place);
  return graphs?.length === 1 ? graphs[0] : undefined;
}

function* scan(execution: Execution, options: RunScanOptions, graph: TermId): Steps {
  const { pattern, permutation, column, slot, countSlots } = options;
  const idOf = (place: Place | PatternTerm) => (place.type === 'term' ? execution.idOf(place.term) : 0);
  const range = new Range();
  const [s, p, o] = [idOf(pattern.subject), idOf(pattern.predicate), idOf(pattern.object)];
  yield* seekByInSlices(execution.snapshot, range, permutation, s, p, o, graph);
  const sorted = [range.a, range.b, range.c][column];
  let values = new Uint32Array(FIRST_ROWS);
  let counts = new Float64Array(FIRST_ROWS);
  let size = 0;
  const part = new Range();
  part.sets = range.sets;
  for (let at = range.start; at < range.end; ) {
    const value = sorted[at];
    const end = gallop(sorted, at, range.end, value + 1);
    part.start = at;
    part.end = end;
    const count = execution.snapshot.countRange(part);
    if (count > 0) {
      values[size] = value;
      counts[size++] = count;
    }
    at = end;
    if (size === values.length) {
      yield toBatch(execution, slot, countSlots, values, counts, size);
      values = new Uint32Array(BATCH_ROWS);
      counts = new Float64Array(BATCH_ROWS);
      size = 0;
    }
  }
  if (size > 0) yield toBatch(execution, slot, countSlots, values, counts, size);
}

function toBatch(
  execution: Execution,
  slot: number,
  countSlots: readonly number[],
  values: Uint32Array,
  counts: Float64Array,
  size: number,
): Batch {
  const columns: (Uint32Array | undefined)[] = [];
  columns[slot] = values.subarray(0, size);
  if (countSlots.length > 0) {
    const numbers = new Uint32Array(size);
    for (let i = 0; i < size; i++) numbers[i] = execution.idOf(integerLiteral(counts[i]));
    for (const countSlot of countSlots) columns[countSlot] = numbers;
  }
  return { size, columns };
}
