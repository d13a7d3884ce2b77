import type { NowMs } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { UpdateEvaluation } from '../../graph/port/graph-dataset.ts';
import type { QuadStore } from '../../graph/store/quad-store.ts';

/** Reads the triples of a document for LOAD; `undefined` when the IRI is not allowed. */
export type LoadGraph = (iri: string, signal: AbortSignal | undefined) => Promise<Iterable<RDF.Quad> | undefined>;

export interface UpdateRun {
  readonly store: QuadStore;
  readonly viewer: Viewer;
  readonly evaluation: UpdateEvaluation;
  readonly nowMs: NowMs | undefined;
  /** Reads a document for LOAD; without it LOAD is refused. */
  readonly load: LoadGraph | undefined;
  freshLabel(): string;
}
