import type * as RDF from '@rdfjs/types';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { permutationFor } from '../../graph/store/pattern-order.ts';
import { Permutation, type PermutationId } from '../../graph/store/permutation.ts';
import { Range } from '../../graph/store/range.ts';
import { type Snapshot, seekBy, seekByInSlices } from '../../graph/store/snapshot.ts';
import type { PatternGraph } from '../algebra/algebra.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, planOf, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output, SMALL_ROWS } from './output.ts';

/** Where the id at one place of a pattern comes from, or goes to. */
export type Place =
  | { readonly type: 'term'; readonly term: RDF.Term }
  | { readonly type: 'bound'; readonly slot: number }
  /** Bound by some rows of the input. */
  | { readonly type: 'maybe'; readonly slot: number }
  /** Bound here for the first time; slot -1 when nobody wants the value. */
  | { readonly type: 'new'; readonly slot: number }
  /** The same new variable as at an earlier place (0 subject, 1 predicate, 2 object, 3 graph). */
  | { readonly type: 'repeat'; readonly place: number };

export type GraphPlace = Place | { readonly type: 'default' } | { readonly type: 'loop'; readonly name: string };

/** A triple pattern ready to run. */
export interface PatternPlaces {
  readonly subject: Place;
  readonly predicate: Place;
  readonly object: Place;
  readonly graph: GraphPlace;
  /** The slots of the input that are wanted after this pattern. */
  readonly kept: readonly number[];
}

/** Stretches at least this long go out as they lie in the store, without copying. */
const DIRECT_ROWS = 512;
const DIRECT_BATCH_ROWS = 16384;

interface Join {
  readonly places: PatternPlaces;
  readonly outSlots: readonly number[];
  /** For each column of the output the place of the pattern it comes from. */
  readonly outPlaces: readonly number[];
  /** Places that have to hold the same id. */
  readonly repeats: readonly (readonly [number, number])[];
}

/** Extends each row by the quads that match a triple pattern: a look-up per row. */
export function patternJoin(places: PatternPlaces): Plan {
  const all = [places.subject, places.predicate, places.object, places.graph];
  const outSlots: number[] = [];
  const outPlaces: number[] = [];
  const repeats: [number, number][] = [];
  for (let at = 0; at < all.length; at++) {
    const place = all[at];
    if (place.type === 'repeat') repeats.push([place.place, at]);
    if (place.type !== 'maybe' && (place.type !== 'new' || place.slot < 0)) continue;
    outSlots.push(place.slot);
    outPlaces.push(at);
  }
  return planOf<Join>(matchAll, { places, outSlots, outPlaces, repeats });
}

function* matchAll(join: Join, execution: Execution, input: Steps): Steps {
  const scan = new Scan(execution, join.places);
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else yield* extend(execution, join, batch, scan);
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every row that is looked up comes through here
function* extend(execution: Execution, join: Join, batch: Batch, scan: Scan): Steps {
  const output = new Output(
    join.outSlots,
    join.places.kept,
    batch.size === 1 ? SMALL_ROWS : Math.min(BATCH_ROWS, batch.size * 2),
  );
  let work = 0;
  for (let row = 0; row < batch.size; row++) {
    scan.begin(execution, batch, row);
    while (scan.nextGraph(execution)) {
      if (scan.isLong) yield* scan.merge(execution);
      if (isDirect(join, scan)) {
        if (output.size > 0) yield output.take(batch);
        yield* direct(join, batch, row, scan);
      } else yield* copy(execution, join, batch, row, scan, output);
      work += scan.range.end - scan.range.start;
    }
    if (++work > BATCH_ROWS * 4) {
      work = 0;
      yield undefined;
    }
  }
  yield output.size > 0 ? output.finish(batch) : undefined;
}

function isDirect({ repeats }: Join, { range, hasEarlierGraphs }: Scan): boolean {
  return range.sets === null && range.end - range.start >= DIRECT_ROWS && repeats.length === 0 && !hasEarlierGraphs;
}

/** The whole stretch as columns of the store. */
function* direct({ places, outSlots, outPlaces }: Join, batch: Batch, row: number, scan: Scan): Steps {
  const { range } = scan;
  const wants = outSlots.length > 0 || places.kept.some((slot) => batch.columns[slot] !== undefined);
  const step = wants ? DIRECT_BATCH_ROWS : range.end - range.start;
  for (let start = range.start; start < range.end; start += step) {
    const end = Math.min(range.end, start + step);
    const columns: (Uint32Array | undefined)[] = [];
    for (const slot of places.kept) {
      if (batch.columns[slot] !== undefined) columns[slot] = new Uint32Array(end - start).fill(idAt(batch, slot, row));
    }
    for (let i = 0; i < outSlots.length; i++) columns[outSlots[i]] = scan.columnSlice(outPlaces[i], start, end);
    yield { size: end - start, columns };
  }
}

function* copy(execution: Execution, join: Join, batch: Batch, row: number, scan: Scan, output: Output): Steps {
  const { range } = scan;
  const { sets } = range;
  const { permitted } = execution.snapshot;
  const { outPlaces, repeats } = join;
  for (let i = range.start; i < range.end; i++) {
    if (sets !== null && permitted[sets[i]] !== 1) continue;
    if (!repeatsHold(repeats, scan, i)) continue;
    if (scan.hasEarlierGraphs && scan.isInEarlierGraph(execution, i)) continue;
    if (!output.reserve()) yield output.take(batch);
    const at = output.size++;
    output.rows[at] = row;
    for (let out = 0; out < outPlaces.length; out++) output.values[out][at] = scan.idAt(outPlaces[out], i);
  }
}

function repeatsHold(repeats: Join['repeats'], scan: Scan, i: number): boolean {
  for (const [first, second] of repeats) if (scan.idAt(first, i) !== scan.idAt(second, i)) return false;
  return true;
}

/** The look-ups of one row: a stretch per graph. */
class Scan {
  readonly range: Range = new Range();
  hasEarlierGraphs = false;
  /** True when the matches in this graph must be merged first. */
  isLong = false;
  readonly #places: PatternPlaces;
  readonly #fixed: readonly TermId[];
  readonly #probe: Range = new Range();
  #s: TermId = UNBOUND;
  #p: TermId = UNBOUND;
  #o: TermId = UNBOUND;
  #graph: TermId = UNBOUND;
  #graphs: ArrayLike<TermId> = [];
  #nextGraph = 0;
  #columns: Uint32Array[] = [];
  #constantGraph: readonly TermId[] | undefined;

  constructor(execution: Execution, places: PatternPlaces) {
    this.#places = places;
    this.#fixed = [places.subject, places.predicate, places.object].map((place) =>
      place.type === 'term' ? execution.idOf(place.term) : UNBOUND,
    );
    this.#constantGraph = constantGraphs(execution, places.graph);
  }

  begin(execution: Execution, batch: Batch, row: number): void {
    const { subject, predicate, object } = this.#places;
    this.#s = this.#idOf(subject, 0, batch, row);
    this.#p = this.#idOf(predicate, 1, batch, row);
    this.#o = this.#idOf(object, 2, batch, row);
    this.#graphs = this.#constantGraph ?? this.#graphsOf(execution, batch, row);
    this.#nextGraph = 0;
  }

  #idOf(place: Place, at: number, batch: Batch, row: number): TermId {
    return place.type === 'term' ? this.#fixed[at] : boundId(place, batch, row);
  }

  #graphsOf(execution: Execution, batch: Batch, row: number): ArrayLike<TermId> {
    const bound = boundId(this.#places.graph, batch, row);
    if (bound === UNBOUND) return execution.namedGraphsWith(this.#s, this.#p, this.#o);
    return execution.isNamedGraph(bound) ? [bound] : [];
  }

  /** Seeks in the next graph that has matches; false when there is none. */
  nextGraph(execution: Execution): boolean {
    while (this.#nextGraph < this.#graphs.length) {
      this.#graph = this.#graphs[this.#nextGraph++];
      const rows = this.#seek(execution.snapshot);
      if (rows !== 0) {
        this.isLong = rows < 0;
        this.hasEarlierGraphs = this.#nextGraph > 1 && this.#places.graph.type === 'default';
        return true;
      }
    }
    return false;
  }

  #seek(snapshot: Snapshot): number {
    const permutation = permutationFor(this.#s, this.#p, this.#o);
    const rows = seekBy(snapshot, this.range, permutation, this.#s, this.#p, this.#o, this.#graph);
    this.#takeColumns(permutation);
    return rows;
  }

  *merge(execution: Execution): Generator<undefined, void> {
    const permutation = permutationFor(this.#s, this.#p, this.#o);
    yield* seekByInSlices(execution.snapshot, this.range, permutation, this.#s, this.#p, this.#o, this.#graph);
    this.#takeColumns(permutation);
  }

  #takeColumns(permutation: PermutationId): void {
    const { range } = this;
    switch (permutation) {
      case Permutation.spo:
        this.#columns = [range.a, range.b, range.c];
        break;
      case Permutation.pso:
        this.#columns = [range.b, range.a, range.c];
        break;
      case Permutation.pos:
        this.#columns = [range.c, range.a, range.b];
        break;
      default:
        this.#columns = [range.b, range.c, range.a];
    }
  }

  /** The id at a place (0 subject, 1 predicate, 2 object, 3 graph) of a matching quad. */
  idAt(place: number, i: number): TermId {
    return place === 3 ? this.#graph : this.#columns[place][i];
  }

  columnSlice(place: number, start: number, end: number): Uint32Array {
    return place === 3 ? new Uint32Array(end - start).fill(this.#graph) : this.#columns[place].subarray(start, end);
  }

  /** In a merge of graphs a triple counts once: in the first graph that has it. */
  isInEarlierGraph(execution: Execution, i: number): boolean {
    const [s, p, o] = this.#columns;
    for (let at = 0; at < this.#nextGraph - 1; at++) {
      execution.snapshot.seek(this.#probe, Permutation.spo, this.#graphs[at], s[i], p[i], o[i]);
      if (execution.snapshot.countRange(this.#probe) > 0) return true;
    }
    return false;
  }
}

/** The id that a row brings to a place, 0 where it brings none. */
export function boundId(place: GraphPlace, batch: Batch, row: number): TermId {
  return place.type === 'bound' || place.type === 'maybe' ? idAt(batch, place.slot, row) : UNBOUND;
}

/** The graphs to read where they are the same for every row, else `undefined`. */
export function constantGraphs(execution: Execution, graph: GraphPlace | PatternGraph): readonly TermId[] | undefined {
  switch (graph.type) {
    case 'default':
      return execution.dataset.defaultGraphs;
    case 'loop':
      return [execution.loopGraph(graph.name)];
    case 'term': {
      const id = execution.idOf(graph.term);
      return execution.isNamedGraph(id) ? [id] : [];
    }
    default:
      return undefined;
  }
}
