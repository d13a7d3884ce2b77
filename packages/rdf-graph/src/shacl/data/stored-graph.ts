import { CodedError, checkText } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { uncheckedReader } from '../../graph/port/checked-reader.ts';
import type { ReadableDataset } from '../../graph/port/graph-dataset.ts';
import type { GraphReader, ReaderOptions } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { defaultGraph, namedNode, quad } from '../../rdf/terms.ts';
import type { IndexedGraph } from './indexed-graph.ts';

/**
 * Opens what a viewer sees of a stored graph, for validation: `default`, `union` (all graphs as one) or the IRI of a
 * named graph. It is read in place.
 * @throws `ERR_NO_GRAPH` (not-found) for a named graph of which the viewer sees nothing; `ERR_ARGUMENT` (invalid)
 */
export async function readStoredGraph(
  dataset: ReadableDataset,
  viewer: Viewer,
  graph: string,
  options: ReaderOptions,
): Promise<IndexedGraph> {
  checkText(graph, 'the graph');
  const reader = uncheckedReader(await dataset.reader(viewer, options));
  if (graph === 'default') return new ReaderGraph(reader, DEFAULT_GRAPH_ID);
  if (graph === 'union') return new ReaderGraph(reader, UNBOUND);
  const id = reader.idOf(namedNode(graph));
  const named = new ReaderGraph(reader, id);
  if (id !== UNBOUND) for (const _ of named) return named;
  const message = `there is no graph ${JSON.stringify(graph.slice(0, 200))}`;
  throw new CodedError({ code: 'ERR_NO_GRAPH', kind: 'not-found', message });
}

type Ids = readonly [s: TermId, p: TermId, o: TermId];

/** The id of a term that no quad has. */
const MISSING = -1;

/** One graph of a reader as validation reads it: only what the viewer may see, read by ids when asked. */
class ReaderGraph implements IndexedGraph {
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
