import type { NowMs } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { UpdateEvaluation } from '../../graph/port/graph-dataset.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import type { QuadStore } from '../../graph/store/quad-store.ts';
import type { QuadTable } from '../../graph/store/quad-table.ts';
import type { Guard } from '../query/guard.ts';
import type { Overlay } from './overlay.ts';

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

/** An update whose operations are being run. */
export interface RunningUpdate extends UpdateRun {
  /** The changes of the operations so far. */
  readonly overlay: Overlay;
  readonly guard: Guard;
}

/** Quads between two looks at the event loop. */
export const QUADS_PER_TURN = 512;

/** Does something with each quad of a table, in turns of the event loop. */
export async function forEachQuad(
  { s, p, o, g, size }: QuadTable,
  guard: Guard,
  act: (s: TermId, p: TermId, o: TermId, g: TermId) => void,
): Promise<void> {
  for (let row = 0; row < size; row++) {
    act(s[row], p[row], o[row], g[row]);
    if (row % QUADS_PER_TURN === QUADS_PER_TURN - 1) await guard.pauseWhenDue();
  }
}
