import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { openGraphDataset } from '../../dataset/open.ts';
import type { GraphDataset, QueryResult } from '../../graph/port/graph-dataset.ts';
import { collect } from '../compare.ts';

export interface SuiteEngine {
  load(quads: readonly RDF.Quad[]): Promise<void>;
  query(text: string, baseIri: string): Promise<QueryResult>;
  update(text: string, baseIri: string): Promise<void>;
  quads(): Promise<RDF.Quad[]>;
}

const LABEL = '*';
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Our engine, with everything visible. */
export async function createEngine(): Promise<SuiteEngine> {
  const dataset: GraphDataset = await openGraphDataset({ name: 'w3c' });
  const viewer = createViewerOfEverything();
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return {
    load: (quads) => dataset.apply([{ deletions: [], additions: quads.map((quad) => ({ quad, label: LABEL })) }]),
    query: (text, baseIri) => dataset.query(viewer, text, { baseIri, nowMs: NOW_MS, random }),
    async update(text, baseIri) {
      const evaluation = { baseIri, nowMs: NOW_MS, random, label: LABEL };
      await dataset.apply([await dataset.evaluateUpdate(viewer, text, evaluation)]);
    },
    quads: () => collect(dataset.match(viewer)),
  };
}
