import type * as RDF from '@rdfjs/types';

/** What validation reads from a graph; any RDF/JS `DatasetCore` is one. */
export interface GraphReader extends Iterable<RDF.Quad> {
  /** The triples that match; an absent position matches any term. */
  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): GraphReader;
  /** How many triples there are. */
  readonly size: number;
}

/** A graph as the library that validates takes it; it reads by `match`, `size` and iteration alone. */
export function toLibraryGraph(graph: GraphReader): RDF.DatasetCore {
  return graph as RDF.DatasetCore;
}

/** The objects of a subject and predicate. */
export function objectsOf(graph: GraphReader, subject: RDF.Term, predicate: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(subject, predicate), ({ object }) => object);
}

/** The subjects of a predicate and object. */
export function subjectsOf(graph: GraphReader, predicate: RDF.Term, object?: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(null, predicate, object), ({ subject }) => subject);
}
