import { gallop, type PermutationId } from '../../store/permutation.ts';
import { Range } from '../../store/range.ts';
import { seekBy, seekByInSlices } from '../../store/snapshot.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';
import type { PatternPlaces, Place } from './pattern-join.ts';

/** A pattern with one open variable, and the permutation whose last column holds its values sorted. */
export interface IntersectPart {
  readonly places: PatternPlaces;
  readonly permutation: PermutationId;
}

/** Extends each row by the values of one variable that fit several patterns at once: intersects their sorted columns. */
export class IntersectJoin implements Plan {
  readonly #parts: readonly IntersectPart[];
  readonly #slot: number;
  readonly #kept: readonly number[];
  readonly #otherwise: Plan;

  /** `otherwise` is the general plan, for a default graph that is a merge of several. */
  constructor(parts: readonly IntersectPart[], slot: number, kept: readonly number[], otherwise: Plan) {
    this.#parts = parts;
    this.#slot = slot;
    this.#kept = kept;
    this.#otherwise = otherwise;
  }

  run(x: Execution, input: Steps): Steps {
    if (x.dataset.defaultGraphs.length !== 1) return this.#otherwise.run(x, input);
    return this.#join(x, input);
  }

  *#join(x: Execution, input: Steps): Steps {
    const graph = x.dataset.defaultGraphs[0];
    const seekers = this.#parts.map((part) => new Seeker(x, part, graph));
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#extend(x, batch, seekers);
    }
  }

  *#extend(x: Execution, batch: Batch, seekers: readonly Seeker[]): Steps {
    const output = new Output([this.#slot], this.#kept, Math.min(BATCH_ROWS, Math.max(16, batch.size)));
    let work = 0;
    for (let row = 0; row < batch.size; row++) {
      const found = seekAll(x, seekers, batch, row);
      if (found === 'none') continue;
      if (found === 'long') for (const seeker of seekers) if (seeker.rows < 0) yield* seeker.merge(x, batch, row);
      const [first, ...others] =
        seekers.length === 2 ? byLength(seekers) : [...seekers].sort((a, b) => a.rows - b.rows);
      work += first.rows;
      for (let value = first.next(x); value !== UNBOUND; value = first.next(x)) {
        if (!areAllAt(x, others, value)) continue;
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
}

/** Whether every pattern has matches, and whether some of them must be merged first. */
function seekAll(x: Execution, seekers: readonly Seeker[], batch: Batch, row: number): 'none' | 'short' | 'long' {
  let found: 'short' | 'long' = 'short';
  for (const seeker of seekers) {
    const rows = seeker.seek(x, batch, row);
    if (rows === 0) return 'none';
    if (rows < 0) found = 'long';
  }
  return found;
}

function byLength(seekers: readonly Seeker[]): readonly Seeker[] {
  return seekers[0].rows <= seekers[1].rows ? seekers : [seekers[1], seekers[0]];
}

function areAllAt(x: Execution, seekers: readonly Seeker[], value: TermId): boolean {
  for (const seeker of seekers) if (!seeker.isAt(x, value)) return false;
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

  constructor(x: Execution, part: IntersectPart, graph: TermId) {
    this.#part = part;
    this.#graph = graph;
    const { subject, predicate, object } = part.places;
    this.#fixed = [subject, predicate, object].map((place) => (place.type === 'term' ? x.idOf(place.term) : UNBOUND));
  }

  seek(x: Execution, batch: Batch, row: number): number {
    const { subject, predicate, object } = this.#part.places;
    const s = this.#id(subject, 0, batch, row);
    const p = this.#id(predicate, 1, batch, row);
    const o = this.#id(object, 2, batch, row);
    this.rows = seekBy(x.snapshot, this.#range, this.#part.permutation, s, p, o, this.#graph);
    this.#at = this.#range.start;
    return this.rows;
  }

  /** Like {@link seek}, in slices. */
  *merge(x: Execution, batch: Batch, row: number): Generator<undefined, void> {
    const { subject, predicate, object } = this.#part.places;
    const s = this.#id(subject, 0, batch, row);
    const p = this.#id(predicate, 1, batch, row);
    const o = this.#id(object, 2, batch, row);
    this.rows = yield* seekByInSlices(x.snapshot, this.#range, this.#part.permutation, s, p, o, this.#graph);
    this.#at = this.#range.start;
  }

  #id(place: Place, at: number, batch: Batch, row: number): TermId {
    return place.type === 'bound' ? idAt(batch, place.slot, row) : this.#fixed[at];
  }

  /** The next visible value, 0 at the end. */
  next(x: Execution): TermId {
    const { c, sets, end } = this.#range;
    while (this.#at < end) {
      const at = this.#at++;
      if (sets === null || x.snapshot.permitted[sets[at]] === 1) return c[at];
    }
    return UNBOUND;
  }

  /** Whether a value is there and visible. Values have to be asked in growing order. */
  isAt(x: Execution, value: TermId): boolean {
    const { c, sets, end } = this.#range;
    const at = gallop(c, this.#at, end, value);
    this.#at = at;
    return at < end && c[at] === value && (sets === null || x.snapshot.permitted[sets[at]] === 1);
  }
}
