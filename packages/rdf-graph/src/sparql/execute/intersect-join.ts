import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { gallop, type PermutationId } from '../../graph/store/permutation.ts';
import { Range } from '../../graph/store/range.ts';
import { seekBy, seekByInSlices } from '../../graph/store/snapshot.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, planOf, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';
import type { PatternPlaces, Place } from './pattern-join.ts';

/** A pattern with one open variable, and the permutation whose last column holds its values sorted. */
export interface IntersectPart {
  readonly places: PatternPlaces;
  readonly permutation: PermutationId;
}

/**
 * Extends each row by the values of one variable that fit several patterns at once: intersects their sorted columns.
 * `otherwise` is the general plan, for a default graph that is a merge of several.
 */
export function intersectJoin(
  parts: readonly IntersectPart[],
  slot: number,
  kept: readonly number[],
  otherwise: Plan,
): Plan {
  const join = planOf(intersect, { parts, slot, kept });
  return (execution, input) => (execution.dataset.defaultGraphs.length === 1 ? join : otherwise)(execution, input);
}

interface Intersection {
  readonly parts: readonly IntersectPart[];
  readonly slot: number;
  readonly kept: readonly number[];
}

function* intersect({ parts, slot, kept }: Intersection, execution: Execution, input: Steps): Steps {
  const [graph] = execution.dataset.defaultGraphs;
  const seekers = parts.map((part) => new Seeker(execution, part, graph));
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else yield* extend(execution, batch, seekers, slot, kept);
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every value that fits comes through here
function* extend(
  execution: Execution,
  batch: Batch,
  seekers: readonly Seeker[],
  slot: number,
  kept: readonly number[],
): Steps {
  const output = new Output([slot], kept, Math.min(BATCH_ROWS, Math.max(16, batch.size)));
  let work = 0;
  for (let row = 0; row < batch.size; row++) {
    const found = seekAll(execution, seekers, batch, row);
    if (found === 'none') continue;
    if (found === 'long') for (const seeker of seekers) if (seeker.rows < 0) yield* seeker.merge(execution, batch, row);
    const [first, ...others] = seekers.length === 2 ? byLength(seekers) : [...seekers].sort((a, b) => a.rows - b.rows);
    work += first.rows;
    for (let value = first.next(execution); value !== UNBOUND; value = first.next(execution)) {
      if (!areAllAt(execution, others, value)) continue;
      if (!output.reserve()) yield output.take(batch);
      const at = output.size++;
      output.rows[at] = row;
      output.values[0][at] = value;
    }
    if (work > BATCH_ROWS * 8) {
      work = 0;
      yield undefined;
    }
  }
  yield output.size > 0 ? output.take(batch) : undefined;
}

/** Seeks every pattern: tells whether all have matches, and whether some must be merged first. */
function seekAll(
  execution: Execution,
  seekers: readonly Seeker[],
  batch: Batch,
  row: number,
): 'none' | 'short' | 'long' {
  let found: 'short' | 'long' = 'short';
  for (const seeker of seekers) {
    const rows = seeker.seek(execution, batch, row);
    if (rows === 0) return 'none';
    if (rows < 0) found = 'long';
  }
  return found;
}

function byLength(seekers: readonly Seeker[]): readonly Seeker[] {
  return seekers[0].rows <= seekers[1].rows ? seekers : [seekers[1], seekers[0]];
}

function areAllAt(execution: Execution, seekers: readonly Seeker[], value: TermId): boolean {
  for (const seeker of seekers) if (!seeker.isAt(execution, value)) return false;
  return true;
}

/** The sorted values of the open variable in one pattern, for one row. */
class Seeker {
  /** How many there are at most; -1 where they must be merged first. */
  rows = 0;
  readonly #part: IntersectPart;
  readonly #graph: TermId;
  readonly #range = new Range();
  readonly #fixed: readonly TermId[];
  #at = 0;

  constructor(execution: Execution, part: IntersectPart, graph: TermId) {
    this.#part = part;
    this.#graph = graph;
    const { subject, predicate, object } = part.places;
    this.#fixed = [subject, predicate, object].map((place) =>
      place.type === 'term' ? execution.idOf(place.term) : UNBOUND,
    );
  }

  seek(execution: Execution, batch: Batch, row: number): number {
    const { subject, predicate, object } = this.#part.places;
    const s = this.#id(subject, 0, batch, row);
    const p = this.#id(predicate, 1, batch, row);
    const o = this.#id(object, 2, batch, row);
    this.rows = seekBy(execution.snapshot, this.#range, this.#part.permutation, s, p, o, this.#graph);
    this.#at = this.#range.start;
    return this.rows;
  }

  /** Like {@link seek}, in slices. */
  *merge(execution: Execution, batch: Batch, row: number): Generator<undefined, void> {
    const { subject, predicate, object } = this.#part.places;
    const s = this.#id(subject, 0, batch, row);
    const p = this.#id(predicate, 1, batch, row);
    const o = this.#id(object, 2, batch, row);
    this.rows = yield* seekByInSlices(execution.snapshot, this.#range, this.#part.permutation, s, p, o, this.#graph);
    this.#at = this.#range.start;
  }

  #id(place: Place, at: number, batch: Batch, row: number): TermId {
    return place.type === 'bound' ? idAt(batch, place.slot, row) : this.#fixed[at];
  }

  /** The next visible value, 0 at the end. */
  next(execution: Execution): TermId {
    const { c, sets, end } = this.#range;
    while (this.#at < end) {
      const at = this.#at++;
      if (sets === null || execution.snapshot.permitted[sets[at]] === 1) return c[at];
    }
    return UNBOUND;
  }

  /** Returns true if a value is there and visible. Values have to be asked in growing order. */
  isAt(execution: Execution, value: TermId): boolean {
    const { c, sets, end } = this.#range;
    const at = gallop(c, this.#at, end, value);
    this.#at = at;
    return at < end && c[at] === value && (sets === null || execution.snapshot.permitted[sets[at]] === 1);
  }
}
