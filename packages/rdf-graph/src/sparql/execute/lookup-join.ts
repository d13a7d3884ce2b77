import type * as RDF from '@rdfjs/types';
import type { TermId } from '../../graph/port/term-kind.ts';
import type { Directory } from '../../graph/store/directory.ts';
import { gallop, lowerBound, Permutation, type PermutationId } from '../../graph/store/permutation.ts';
import { Range } from '../../graph/store/range.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, planOf, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';

/** A pattern with a fixed predicate in the default graph, joined by its subject or object. */
export interface LookupPlaces {
  readonly predicate: RDF.Term;
  readonly bySubject: boolean;
  readonly keySlot: number;
  /** The other end: bound (a check), or new with a slot, -1 when nobody wants it. */
  readonly other: { readonly type: 'bound' | 'new'; readonly slot: number };
  readonly kept: readonly number[];
}

/** Batches at least this long make a directory of the predicate worth its while. */
const DIRECTORY_BATCH = 512;

/**
 * Joins rows with the pairs of one predicate: the commonest join, in a tight loop. The pairs lie sorted by the joined
 * end; a row finds its own through a directory, or by galloping on from the row before. `otherwise` is the general
 * plan, for a default graph that is a merge of several.
 */
export function lookupJoin(places: LookupPlaces, otherwise: Plan): Plan {
  const permutation = places.bySubject ? Permutation.pso : Permutation.pos;
  const outSlots = places.other.type === 'new' && places.other.slot >= 0 ? [places.other.slot] : [];
  const join = planOf(lookUp, { places, permutation, outSlots });
  return (execution, input) => (execution.dataset.defaultGraphs.length === 1 ? join : otherwise)(execution, input);
}

interface Lookup {
  readonly places: LookupPlaces;
  readonly permutation: PermutationId;
  readonly outSlots: readonly number[];
}

function* lookUp({ places, permutation, outSlots }: Lookup, execution: Execution, input: Steps): Steps {
  const [graph] = execution.dataset.defaultGraphs;
  const range = new Range();
  const predicate = execution.idOf(places.predicate);
  yield* execution.snapshot.seekInSlices(range, permutation, graph, predicate, 0, 0);
  const cursor = new Cursor(range);
  for (const batch of input) {
    if (batch === undefined) {
      yield undefined;
      continue;
    }
    if (batch.size >= DIRECTORY_BATCH) {
      cursor.directory ??= yield* execution.snapshot.directoryOf(permutation, graph, predicate);
    }
    yield* extend(execution, places, outSlots, batch, cursor);
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every pair that is joined comes through here
function* extend(
  execution: Execution,
  { other, kept, keySlot }: LookupPlaces,
  outSlots: readonly number[],
  batch: Batch,
  cursor: Cursor,
): Steps {
  const keys = batch.columns[keySlot];
  if (keys === undefined) return;
  const output = new Output(outSlots, kept, Math.max(16, Math.min(BATCH_ROWS, batch.size)));
  const { b, c, sets, end } = cursor.range;
  const { permitted } = execution.snapshot;
  const isCheck = other.type === 'bound';
  const wants = outSlots.length > 0;
  let work = 0;
  for (let row = 0; row < batch.size; row++) {
    const key = keys[row];
    let at = cursor.seek(key);
    const wanted = isCheck ? idAt(batch, other.slot, row) : 0;
    if (isCheck) at = cursor.within(at, key, wanted);
    for (; at < end && b[at] === key; at++) {
      if (isCheck && c[at] !== wanted) break;
      work++;
      if (sets !== null && permitted[sets[at]] !== 1) continue;
      if (output.size === output.capacity && !output.reserve()) yield output.take(batch);
      output.rows[output.size] = row;
      if (wants) output.values[0][output.size] = c[at];
      output.size++;
    }
    if (work > BATCH_ROWS * 8) {
      work = 0;
      yield undefined;
    }
  }
  yield output.size > 0 ? output.finish(batch) : undefined;
}

/** Finds keys in the sorted second column of a range. */
class Cursor {
  readonly range: Range;
  directory: Directory | undefined;
  #lastKey = 0;
  #at: number;

  constructor(range: Range) {
    this.range = range;
    this.#at = range.start;
  }

  /** The first row that is not before a key. */
  seek(key: TermId): number {
    const { directory } = this;
    const offsets = directory?.offsets;
    if (directory !== undefined && offsets !== undefined) {
      const at = key - directory.first;
      return at >= 0 && at < offsets.length - 1 ? offsets[at] : this.range.end;
    }
    const { b, start, end } = this.range;
    this.#at = key >= this.#lastKey ? gallop(b, this.#at, end, key) : lowerBound(b, start, end, key);
    this.#lastKey = key;
    return this.#at;
  }

  /** The first row from `at` on with this key whose third column is not before a value. */
  within(at: number, key: TermId, value: TermId): number {
    const { b, c, end } = this.range;
    // Most keys have few rows: step through some before searching.
    for (let i = at; i < at + 8; i++) if (i >= end || b[i] !== key || c[i] >= value) return i;
    const last = gallop(b, at, end, key + 1);
    return lowerBound(c, at, last, value);
  }
}
