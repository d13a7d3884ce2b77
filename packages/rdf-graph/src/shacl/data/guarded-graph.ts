import type * as RDF from '@rdfjs/types';
import type { IndexedGraph } from './indexed-graph.ts';

const READS_PER_CHECK = 64;

/** A graph that looks at its limits while it is read: what makes a run over it stop. */
export class GuardedGraph implements IndexedGraph {
  readonly #graph: IndexedGraph;
  readonly #check: () => void;
  #reads = 0;

  constructor(graph: IndexedGraph, check: () => void) {
    this.#graph = graph;
    this.#check = check;
  }

  match(subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null): IndexedGraph {
    if (++this.#reads % READS_PER_CHECK === 0) this.#check();
    return this.#graph.match(subject, predicate, object);
  }

  get size(): number {
    return this.#graph.size;
  }

  [Symbol.iterator](): Iterator<RDF.Quad> {
    return this.#graph[Symbol.iterator]();
  }
}
