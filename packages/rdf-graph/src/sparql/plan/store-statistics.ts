import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { Permutation } from '../../graph/store/permutation.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import type { PatternGraph, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import type { Statistics } from './join-order.ts';

const DEFAULT_GRAPH = Uint32Array.of(DEFAULT_GRAPH_ID);

/** Of more graphs so many are looked at. */
const MAX_SAMPLED_GRAPHS = 64;

/** Counts of a snapshot's largest run: exact for fixed terms, averages for bound variables. */
export class StoreStatistics implements Statistics {
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  rowsOf({ subject, predicate, object, graph }: TriplePattern, bound: ReadonlySet<string>): number {
    const s = this.#idOf(subject);
    const p = this.#idOf(predicate);
    const o = this.#idOf(object);
    if (s < 0 || p < 0 || o < 0) return 0;
    const graphs = this.#graphsOf(graph, s, p, o);
    const sampled = graphs.subarray(0, MAX_SAMPLED_GRAPHS);
    let rows = 0;
    for (const g of sampled) {
      rows += this.#rowsIn(g, s, p, o, isBound(subject, bound), isBound(object, bound), isBound(predicate, bound));
    }
    return sampled.length === 0 ? 0 : (rows * graphs.length) / sampled.length;
  }

  #graphsOf(graph: PatternGraph, s: TermId, p: TermId, o: TermId): Uint32Array {
    switch (graph.type) {
      case 'term':
        return Uint32Array.of(this.#snapshot.idOf(graph.term));
      case 'default':
        return DEFAULT_GRAPH;
      default: {
        // The default graph's id is the smallest.
        const graphs = this.#snapshot.graphsWith(s, p, o);
        return graphs[0] === DEFAULT_GRAPH_ID ? graphs.subarray(1) : graphs;
      }
    }
  }

  #rowsIn(g: TermId, s: TermId, p: TermId, o: TermId, sBound: boolean, oBound: boolean, pBound: boolean): number {
    let rows = this.#snapshot.rowsAbout(s, p, o, g);
    if (rows === 0) return 0;
    if (pBound) rows /= 8;
    if (sBound) rows /= this.#distinct(g, p, Permutation.pso);
    if (oBound) rows /= this.#distinct(g, p, Permutation.pos);
    return rows;
  }

  /** How many distinct subjects (pso) or objects (pos) a predicate has in a graph; of all predicates when 0. */
  #distinct(graph: TermId, predicate: TermId, permutation: 1 | 2): number {
    let distinct = 1;
    const order =
      predicate !== UNBOUND ? permutation : permutation === Permutation.pso ? Permutation.spo : Permutation.osp;
    for (const run of this.#snapshot.runs) {
      const block = run.block(graph);
      if (block >= 0) distinct = Math.max(distinct, run.distinctSeconds(order, block, predicate));
    }
    return distinct;
  }

  /** 0 for a variable, -1 for a term that is not stored. */
  #idOf(term: PatternTerm): TermId {
    if (term.type === 'variable') return UNBOUND;
    return this.#snapshot.idOf(term.term) || -1;
  }
}

function isBound(term: PatternTerm, bound: ReadonlySet<string>): boolean {
  return term.type === 'variable' && bound.has(term.name);
}
