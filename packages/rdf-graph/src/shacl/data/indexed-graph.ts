import { sortInSteps } from '@cairn/events';
import type * as RDF from '@rdfjs/types';

/** A graph as validation reads it; any RDF/JS `DatasetCore` is one. */
export interface IndexedGraph extends Iterable<RDF.Quad> {
  /** The triples that match; an absent position matches any term. */
  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): IndexedGraph;
  /** How many triples there are. */
  readonly size: number;
}

/** A graph that matches otherwise than another one, and has the same triples. */
export function withMatch(
  graph: IndexedGraph,
  match: (subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null) => IndexedGraph,
): IndexedGraph {
  return {
    match,
    get size() {
      return graph.size;
    },
    [Symbol.iterator]: () => graph[Symbol.iterator](),
  };
}

/** A graph as the library that validates takes it; it reads by `match`, `size` and iteration alone. */
export function toLibraryGraph(graph: IndexedGraph): RDF.DatasetCore {
  return graph as RDF.DatasetCore;
}

export function objectsOf(graph: IndexedGraph, subject: RDF.Term, predicate: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(subject, predicate), ({ object }) => object);
}

export function subjectsOf(graph: IndexedGraph, predicate: RDF.Term, object?: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(null, predicate, object), ({ subject }) => subject);
}

/** Terms by their N-Triples form, in its order. Yields where it may pause. */
export function* sortTerms(byText: ReadonlyMap<string, RDF.Term>): Generator<void, readonly RDF.Term[]> {
  const sorted = yield* sortInSteps([...byText], ([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, term]) => term);
}
