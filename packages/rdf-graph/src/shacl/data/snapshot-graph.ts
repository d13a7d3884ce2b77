import type * as RDF from '@rdfjs/types';
import { defaultGraph, quad } from '../../rdf/terms.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import type { GraphReader } from './graph-reader.ts';

type Ids = readonly [TermId, TermId, TermId];

/** One graph of a snapshot as validation reads it: only what the viewer may see, read by ids when asked. */
export class SnapshotGraph implements GraphReader {
  readonly #snapshot: Snapshot;
  readonly #graph: TermId;
  /** The pattern; null when nothing can match it. */
  readonly #ids: Ids | null;

  /** The union of all visible graphs when `graph` is 0. */
  constructor(snapshot: Snapshot, graph: TermId, ids: Ids | null = [UNBOUND, UNBOUND, UNBOUND]) {
    this.#snapshot = snapshot;
    this.#graph = graph;
    this.#ids = ids;
  }

  match(subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null): SnapshotGraph {
    const ids: TermId[] = [];
    for (const term of [subject, predicate, object]) {
      const id = term === null || term === undefined ? UNBOUND : this.#snapshot.idOf(term);
      if (id === UNBOUND && term !== null && term !== undefined) {
        return new SnapshotGraph(this.#snapshot, this.#graph, null);
      }
      ids.push(id);
    }
    return new SnapshotGraph(this.#snapshot, this.#graph, ids as unknown as Ids);
  }

  get size(): number {
    if (this.#ids === null) return 0;
    if (!this.#isMerged) return this.#snapshot.count(...this.#ids, this.#graph);
    let size = 0;
    for (const _ of this) size++;
    return size;
  }

  *[Symbol.iterator](): Generator<RDF.Quad> {
    if (this.#ids === null) return;
    const snapshot = this.#snapshot;
    const seen = this.#isMerged ? new Set<string>() : undefined;
    for (const [s, p, o] of snapshot.quadIds(...this.#ids, this.#graph)) {
      if (seen !== undefined) {
        const key = `${s} ${p} ${o}`;
        if (seen.has(key)) continue;
        seen.add(key);
      }
      yield quad(snapshot.term(s), snapshot.term(p), snapshot.term(o), defaultGraph());
    }
  }

  /** Whether a triple can come from several graphs. */
  get #isMerged(): boolean {
    return this.#graph === UNBOUND && this.#snapshot.graphs().length > 1;
  }
}
