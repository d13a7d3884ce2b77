import type * as RDF from '@rdfjs/types';
import { defaultGraph, quad } from '../../rdf/terms.ts';
import { followPath, type PropertyPath } from '../engine/property-path.ts';
import type { IndexedGraph } from './indexed-graph.ts';
import { indexQuads } from './quad-index.ts';

/**
 * A property path that is where a predicate does: a {@link PathGraph} answers it with the nodes that it leads to. The
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

export class PathGraph implements IndexedGraph {
  readonly #graph: IndexedGraph;

  constructor(graph: IndexedGraph) {
    this.#graph = graph;
  }

  match(subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null): IndexedGraph {
    if (!(predicate instanceof PathPredicate) || !subject) return this.#graph.match(subject, predicate, object);
    const found: RDF.Quad[] = [];
    for (const node of followPath(this.#graph, subject, predicate.path)) {
      if (!object || object.equals(node)) found.push(quad(subject, predicate, node, defaultGraph()));
    }
    return new FoundGraph(found);
  }

  get size(): number {
    return this.#graph.size;
  }

  [Symbol.iterator](): Iterator<RDF.Quad> {
    return this.#graph[Symbol.iterator]();
  }
}

/** The quads of one match, to be read. */
export class FoundGraph implements IndexedGraph {
  readonly #quads: readonly RDF.Quad[];

  constructor(quads: readonly RDF.Quad[]) {
    this.#quads = quads;
  }

  match(...pattern: Parameters<IndexedGraph['match']>): IndexedGraph {
    return indexQuads(this.#quads).match(...pattern);
  }

  get size(): number {
    return this.#quads.length;
  }

  [Symbol.iterator](): Iterator<RDF.Quad> {
    return this.#quads[Symbol.iterator]();
  }
}
