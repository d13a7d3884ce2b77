import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Path } from '../algebra/algebra.ts';
import { type Batch, type Plan, planOf, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';
import { Walker } from './path-walker.ts';
import { boundId, constantGraphs, type GraphPlace, type PatternPlaces, type Place } from './pattern-join.ts';

/** A path pattern ready to run. */
export interface PathPlaces extends Omit<PatternPlaces, 'predicate'> {
  readonly path: Path;
}

/** The walk for one batch. */
interface Run {
  readonly execution: Execution;
  readonly places: PathPlaces;
  /** The slots of subject, object and graph; -1 where none is bound here. */
  readonly outSlots: readonly number[];
  readonly walker: Walker;
  readonly batch: Batch;
  readonly output: Output;
}

/** Extends each row by the pairs of nodes that a path with closures or negated sets connects. Cycles end. */
export function pathJoin(places: PathPlaces): Plan {
  const outSlots = [places.subject, places.object, places.graph].map((place) =>
    place.type === 'new' || place.type === 'maybe' ? place.slot : -1,
  );
  const slots = outSlots.filter((slot) => slot >= 0);
  return planOf(walk, { places, outSlots, slots });
}

interface PathWalk extends Pick<Run, 'places' | 'outSlots'> {
  readonly slots: readonly number[];
}

function* walk({ places, outSlots, slots }: PathWalk, execution: Execution, input: Steps): Steps {
  const walker = new Walker(execution, places.path);
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else yield* join({ execution, places, outSlots, walker, batch, output: new Output(slots, places.kept) });
  }
}

function* join(run: Run): Steps {
  const { execution, places, walker, batch, output } = run;
  for (let row = 0; row < batch.size; row++) {
    for (const graphs of graphSets(run, row)) {
      // A path without steps stands in every graph, but in none that is not there.
      const isNamed = places.graph.type !== 'default';
      if (isNamed && walker.isNullable && !(yield* execution.hasNamedGraph(graphs[0]))) continue;
      walker.enter(graphs);
      yield* pairs(run, row);
    }
  }
  yield output.size > 0 ? output.take(batch) : undefined;
}

/** The graphs to walk in: all of one set together, one set after the other. */
function graphSets({ execution, places: { graph }, batch }: Run, row: number): readonly (readonly TermId[])[] {
  if (graph.type === 'default') return [execution.dataset.defaultGraphs];
  const graphs = constantGraphs(execution, graph) ?? openGraphs(execution, graph, batch, row);
  return Array.from(graphs, (id) => [id]);
}

function openGraphs(execution: Execution, graph: GraphPlace, batch: Batch, row: number): ArrayLike<TermId> {
  const bound = boundId(graph, batch, row);
  if (bound === UNBOUND) return execution.namedGraphs();
  return execution.isNamedGraph(bound) ? [bound] : [];
}

function* pairs(run: Run, row: number): Steps {
  const { execution, places, batch } = run;
  const subject = idOf(execution, places.subject, batch, row);
  const object = idOf(execution, places.object, batch, row);
  if (subject === UNBOUND && object !== UNBOUND) yield* backward(run, row, object);
  else yield* forward(run, row, subject, object);
}

function* backward(run: Run, row: number, object: TermId): Steps {
  const { places, walker } = run;
  if (isForeign(walker, places.object, object)) return;
  for (const start of yield* walker.walk(places.path, object, false)) yield* emit(run, row, start, object);
}

function* forward(run: Run, row: number, subject: TermId, object: TermId): Steps {
  const { places, walker } = run;
  // A variable ranges over the nodes of the graph; a term of the query may stand for itself.
  const isItself = places.object.type === 'term' && object === subject;
  if (subject !== UNBOUND && !isItself && isForeign(walker, places.subject, subject)) return;
  const isLoop = places.object.type === 'repeat';
  for (const start of subject === UNBOUND ? yield* walker.startNodes() : [subject]) {
    const wanted = isLoop ? start : object;
    for (const end of yield* walker.walk(places.path, start, true)) {
      if (wanted === UNBOUND || end === wanted) yield* emit(run, row, start, end);
    }
  }
}

/** Returns true if a variable's value is no node, so that a path without steps must not connect it with itself. */
function isForeign(walker: Walker, place: Place, id: TermId): boolean {
  return place.type !== 'term' && walker.isNullable && !walker.isNode(id);
}

function* emit(
  { places: { graph }, outSlots, walker, batch, output }: Run,
  row: number,
  start: TermId,
  end: TermId,
): Steps {
  // GRAPH ?g { ?g path ?x }: the end of the path is the graph itself.
  if (graph.type === 'repeat' && (graph.place === 0 ? start : end) !== walker.graph) return;
  if (!output.reserve()) yield output.take(batch);
  const at = output.size++;
  output.rows[at] = row;
  let out = 0;
  if (outSlots[0] >= 0) output.values[out++][at] = start;
  if (outSlots[1] >= 0) output.values[out++][at] = end;
  if (outSlots[2] >= 0) output.values[out][at] = walker.graph;
}

function idOf(execution: Execution, place: Place, batch: Batch, row: number): TermId {
  return place.type === 'term' ? execution.idOf(place.term) : boundId(place, batch, row);
}
