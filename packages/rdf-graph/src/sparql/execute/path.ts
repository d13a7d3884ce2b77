import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import type { Path } from '../algebra/algebra.ts';
import { type Batch, idAt, type Plan, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';
import { Output } from './output.ts';
import { Walker } from './path-walker.ts';
import type { GraphPlace, Place } from './pattern-join.ts';

/** A path pattern ready to run. */
export interface PathPlaces {
  readonly subject: Place;
  readonly object: Place;
  readonly graph: GraphPlace;
  readonly path: Path;
  readonly kept: readonly number[];
}

/** Extends each row by the pairs of nodes that a path with closures or negated sets connects. Cycles end. */
export class PathJoin implements Plan {
  readonly #places: PathPlaces;
  readonly #outSlots: readonly number[];

  constructor(places: PathPlaces) {
    this.#places = places;
    const { subject, object, graph } = places;
    this.#outSlots = [subject, object, graph].map((place) =>
      place.type === 'new' || place.type === 'maybe' ? place.slot : -1,
    );
  }

  *run(x: Execution, input: Steps): Steps {
    const walker = new Walker(x, this.#places.path);
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#join(x, batch, walker);
    }
  }

  *#join(x: Execution, batch: Batch, walker: Walker): Steps {
    const slots = this.#outSlots.filter((slot) => slot >= 0);
    const output = new Output(slots, this.#places.kept);
    for (let row = 0; row < batch.size; row++) {
      for (const graphs of this.#graphSets(x, batch, row)) {
        walker.enter(graphs);
        yield* this.#pairs(x, batch, row, walker, output);
      }
    }
    yield output.size > 0 ? output.take(batch) : undefined;
  }

  /** The graphs to walk in: all of one set together, one set after the other. */
  #graphSets(x: Execution, batch: Batch, row: number): readonly (readonly TermId[])[] {
    const { graph } = this.#places;
    switch (graph.type) {
      case 'default':
        return [x.dataset.defaultGraphs];
      case 'loop':
        return [[x.loopGraphs.get(graph.name)!]];
      case 'term': {
        const id = x.idOf(graph.term);
        return x.isNamedGraph(id) ? [[id]] : [];
      }
      default: {
        const bound = 'slot' in graph && graph.type !== 'new' ? idAt(batch, graph.slot, row) : UNBOUND;
        if (bound !== UNBOUND) return x.isNamedGraph(bound) ? [[bound]] : [];
        return Array.from(x.namedGraphs(), (id) => [id]);
      }
    }
  }

  *#pairs(x: Execution, batch: Batch, row: number, walker: Walker, output: Output): Steps {
    const subject = this.#idOf(x, this.#places.subject, batch, row);
    const object = this.#idOf(x, this.#places.object, batch, row);
    const isLoop = this.#places.object.type === 'repeat';
    if (subject === UNBOUND && object !== UNBOUND) {
      if (this.#places.object.type !== 'term' && !walker.isNode(object) && walker.isNullable) return;
      for (const start of yield* walker.walk(this.#places.path, object, false)) {
        yield* this.#emit(batch, row, start, object, walker, output);
      }
      return;
    }
    const starts = subject === UNBOUND ? yield* walker.startNodes() : [subject];
    if (subject !== UNBOUND && this.#places.subject.type !== 'term' && walker.isNullable && !walker.isNode(subject)) {
      // A variable ranges over the nodes of the graph; a term of the query may stand for itself.
      if (this.#places.object.type !== 'term' || object !== subject) return;
    }
    for (const start of starts) {
      for (const end of yield* walker.walk(this.#places.path, start, true)) {
        if (object !== UNBOUND && end !== object) continue;
        if (isLoop && end !== start) continue;
        yield* this.#emit(batch, row, start, end, walker, output);
      }
    }
  }

  *#emit(batch: Batch, row: number, start: TermId, end: TermId, walker: Walker, output: Output): Steps {
    const { graph } = this.#places;
    // GRAPH ?g { ?g path ?x }: the end of the path is the graph itself.
    if (graph.type === 'repeat' && (graph.place === 0 ? start : end) !== walker.graph) return;
    if (!output.reserve()) yield output.take(batch);
    const at = output.size++;
    output.rows[at] = row;
    const values = [start, end, walker.graph];
    let out = 0;
    for (let i = 0; i < 3; i++) if (this.#outSlots[i] >= 0) output.values[out++][at] = values[i];
  }

  #idOf(x: Execution, place: Place, batch: Batch, row: number): TermId {
    if (place.type === 'term') return x.idOf(place.term);
    return place.type === 'bound' || place.type === 'maybe' ? idAt(batch, place.slot, row) : UNBOUND;
  }
}
