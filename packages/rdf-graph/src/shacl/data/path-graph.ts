import type * as RDF from '@rdfjs/types';
import { defaultGraph, namedNode, quad } from '../../rdf/terms.ts';
import { followPath, type PropertyPath } from '../engine/property-path.ts';
import { isProblem, PathReader } from '../shapes/path-reader.ts';
import { sh } from '../vocabulary.ts';
import { type IndexedGraph, indexQuads, withMatch } from './indexed-graph.ts';

const PATH = namedNode(sh('path'));

/**
 * A property path where a predicate stands: {@link withPathPredicates} answers it with the nodes that it leads to. The
 * library that validates follows paths by calling itself, so a long chain in the data would end its stack.
 */
export class PathPredicate implements RDF.NamedNode {
  readonly termType = 'NamedNode';
  readonly value = 'urn:x-cairn:path';
  readonly path: PropertyPath;
  readonly node: RDF.Term;

  constructor(path: PropertyPath, node: RDF.Term) {
    this.path = path;
    this.node = node;
  }

  equals(other: RDF.Term | null | undefined): boolean {
    return this === other;
  }
}

/** A data graph that follows each {@link PathPredicate}. */
export function withPathPredicates(graph: IndexedGraph): IndexedGraph {
  return withMatch(graph, (subject, predicate, object) => {
    if (!(predicate instanceof PathPredicate) || !subject) return graph.match(subject, predicate, object);
    const found: RDF.Quad[] = [];
    for (const node of followPath(graph, subject, predicate.path)) {
      if (!object || object.equals(node)) found.push(quad(subject, predicate, node, defaultGraph()));
    }
    return foundGraph(found);
  });
}

/**
 * A shapes graph in which the value of sh:path is an IRI or a {@link PathPredicate}: the library that validates would
 * read paths itself, and take an IRI for a list or an operator when the graph says so.
 */
export function withReadPaths(shapes: IndexedGraph): IndexedGraph {
  const reader = new PathReader(shapes);
  const toPredicate = (node: RDF.Term): RDF.Term => {
    const read = reader.read(node);
    return node.termType === 'NamedNode' || isProblem(read) ? node : new PathPredicate(read.path, node);
  };
  return withMatch(shapes, (subject, predicate, object) => {
    const found = shapes.match(subject, predicate, object);
    if (!predicate?.equals(PATH)) return found;
    return foundGraph(Array.from(found, (one) => quad(one.subject, PATH, toPredicate(one.object))));
  });
}

/** The quads of one match, to be read. */
function foundGraph(quads: readonly RDF.Quad[]): IndexedGraph {
  return {
    match: (...pattern) => indexQuads(quads).match(...pattern),
    size: quads.length,
    [Symbol.iterator]: () => quads[Symbol.iterator](),
  };
}
