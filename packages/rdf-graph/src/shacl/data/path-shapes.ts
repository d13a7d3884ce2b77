import type * as RDF from '@rdfjs/types';
import { namedNode, quad } from '../../rdf/terms.ts';
import { isProblem, PathReader } from '../shapes/path-reader.ts';
import { sh } from '../vocabulary.ts';
import type { IndexedGraph } from './indexed-graph.ts';
import { FoundGraph, PathPredicate } from './path-graph.ts';

const PATH = namedNode(sh('path'));

/**
 * A shapes graph in which the value of sh:path is an IRI or a {@link PathPredicate}: the library that validates would
 * read paths itself, and take an IRI for a list or an operator when the graph says so.
 */
export class PathShapes implements IndexedGraph {
  readonly #shapes: IndexedGraph;
  readonly #reader: PathReader;

  constructor(shapes: IndexedGraph) {
    this.#shapes = shapes;
    this.#reader = new PathReader(shapes);
  }

  match(subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null): IndexedGraph {
    const found = this.#shapes.match(subject, predicate, object);
    if (!predicate?.equals(PATH)) return found;
    return new FoundGraph(Array.from(found, (one) => quad(one.subject, PATH, this.#toPredicate(one.object))));
  }

  get size(): number {
    return this.#shapes.size;
  }

  [Symbol.iterator](): Iterator<RDF.Quad> {
    return this.#shapes[Symbol.iterator]();
  }

  #toPredicate(node: RDF.Term): RDF.Term {
    const read = this.#reader.read(node);
    return node.termType === 'NamedNode' || isProblem(read) ? node : new PathPredicate(read.path, node);
  }
}
