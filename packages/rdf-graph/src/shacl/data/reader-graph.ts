import type * as RDF from '@rdfjs/types';
import type { GraphReader } from '../../graph/port/graph-reader.ts';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { defaultGraph, quad } from '../../rdf/terms.ts';
import type { IndexedGraph } from './indexed-graph.ts';

type Ids = readonly [s: TermId, p: TermId, o: TermId];

/** The id of a term that no quad has. */
const MISSING = -1;

/** One graph of a reader as validation reads it: only what the viewer may see, read by ids when asked. */
export class ReaderGraph implements IndexedGraph {
  readonly #reader: GraphReader;
  readonly #graph: TermId;
  /** The pattern; null when nothing can match it. */
  readonly #ids: Ids | null;

  /** The union of all visible graphs when `graph` is 0. */
  constructor(reader: GraphReader, graph: TermId, ids: Ids | null = [UNBOUND, UNBOUND, UNBOUND]) {
    this.#reader = reader;
    this.#graph = graph;
    this.#ids = ids;
  }

  match(subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null): ReaderGraph {
    const ids: Ids = [this.#idOf(subject), this.#idOf(predicate), this.#idOf(object)];
    return new ReaderGraph(this.#reader, this.#graph, ids.includes(MISSING) ? null : ids);
  }

  #idOf(term: RDF.Term | null | undefined): TermId {
    return term === null || term === undefined ? UNBOUND : this.#reader.idOf(term) || MISSING;
  }

  get size(): number {
    if (this.#ids === null) return 0;
    if (!this.#isMerged) return this.#reader.count(...this.#ids, this.#graph);
    let size = 0;
    for (const _ of this) size++;
    return size;
  }

  *[Symbol.iterator](): Generator<RDF.Quad> {
    if (this.#ids === null) return;
    const reader = this.#reader;
    const seen = this.#isMerged ? new Set<string>() : undefined;
    for (const [s, p, o] of reader.quadIds(...this.#ids, this.#graph)) {
      if (seen !== undefined) {
        const key = `${s} ${p} ${o}`;
        if (seen.has(key)) continue;
        seen.add(key);
      }
      yield quad(reader.term(s), reader.term(p), reader.term(o), defaultGraph());
    }
  }

  /** True when a triple can come from several graphs. */
  get #isMerged(): boolean {
    return this.#graph === UNBOUND && this.#reader.graphs().length > 1;
  }
}
