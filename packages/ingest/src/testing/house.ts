import {
  type BlobStore,
  createHeaders,
  createMemoryBlobStore,
  createMemoryEventLog,
  type EventLog,
} from '@cairn/events';
import { type GraphDataset, openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { createViewer, type Viewer } from '@cairn/security';
import { parseRoute } from '../routes/parser.ts';
import type { UploadOutcome } from '../upload/upload.ts';
import { createIngest } from '../wiring/create-ingest.ts';
import type { Ingest } from '../wiring/ingest.ts';
import type { IngestOptions } from '../wiring/options.ts';
import { createSystemClock } from './clock.ts';
import { createCounter } from './ids.ts';
import { toParts } from './parts.ts';
import { createTextExtractor } from './text-extractor.ts';

export interface House {
  readonly ingest: Ingest;
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly search: SearchIndex;
  readonly knowledge: GraphDataset;
  upload(files: Readonly<Record<string, string>>, label?: string, viewer?: Viewer): Promise<UploadOutcome>;
  load(turtle: string, label?: string): Promise<void>;
  update(sparql: string, label?: string, viewer?: Viewer): Promise<void>;
}

/** Sees what carries a clearance of up to S, and what everybody may see. */
export const SECRET: Viewer = viewerOf({ clearance: ['S'] });
export const PUBLIC: Viewer = viewerOf({});

export const NAMESPACE = 'https://example.org/documents/';
const PREFIXES = `
  PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
  PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
  PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
  PREFIX ies: <http://ies.data.gov.uk/ontology/ies4#>
  PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
  PREFIX ex: <https://example.org/id/>
`;

export function viewerOf(attributes: Readonly<Record<string, readonly string[]>>): Viewer {
  return createViewer({ attributes, hierarchies: { clearance: ['O', 'S', 'TS'] } });
}

/** Ports in memory. The same ones can be handed to several houses, one after the other. */
export async function createPorts(): Promise<Pick<House, 'log' | 'blobs' | 'search' | 'knowledge'>> {
  return {
    log: createMemoryEventLog({ nowMs: () => 1_700_000_000_000 }),
    blobs: createMemoryBlobStore(),
    search: await openSearchIndex({ indices: ['search', 'doc-content'] }),
    knowledge: await openGraphDataset({ name: 'knowledge' }),
  };
}

/** A house that is running. Stop it at the end. */
export async function openHouse(
  given: Partial<Pick<House, 'log' | 'blobs' | 'search' | 'knowledge'>> = {},
  options: Partial<IngestOptions> = {},
): Promise<House> {
  const ports = { ...(await createPorts()), ...given };
  const { log, blobs, search, knowledge } = ports;
  const ingest = createIngest({
    ...{ log, blobs, search },
    datasets: [{ dataset: knowledge, defaultLabel: '!' }],
    extractor: createTextExtractor(),
    routes: [
      parseRoute(
        { name: 'local', topic: 'document.extractrequest', namespace: NAMESPACE },
        { file: 'testing/house.ts' },
      ),
    ],
    clock: createSystemClock(),
    nextId: createCounter(`house${houses++}`),
    gatherMs: 0,
    reannotation: { automatic: false },
    ...options,
  });
  await ingest.start();
  return {
    ...ports,
    ingest,
    upload: (files, label = '*', viewer = SECRET) =>
      ingest.upload({
        route: 'local',
        headers: createHeaders({ 'Security-Label': label }),
        parts: toParts(files),
        viewer,
      }),
    async load(turtle, label = '*') {
      const value = new TextEncoder().encode(PREFIXES + turtle);
      await ingest.load({ dataset: 'knowledge', contentType: 'text/turtle', value, label });
    },
    async update(sparql, label = '*', viewer = SECRET) {
      await ingest.update({
        dataset: 'knowledge',
        evaluate: (dataset) => dataset.evaluateUpdate(viewer, PREFIXES + sparql, { label }),
      });
    },
  };
}

let houses = 0;
