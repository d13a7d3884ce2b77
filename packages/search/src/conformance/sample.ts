import { isCodedError } from '@cairn/errors';
import { createViewer, type Viewer } from '@cairn/security';
import type { DocumentChange, SearchDocument, SearchIndex, SearchRequest } from '../port/search-index.ts';

/** Implementation that the cases run against. */
export interface SearchIndexHarness {
  /** An empty index with these named indices in this order, without a default label. */
  readonly open: (indices: readonly string[]) => Promise<SearchIndex>;
  /** For durable ones: flushes and closes an index, then opens what it stored. Without it those laws are not tried. */
  readonly reopen?: (index: SearchIndex) => Promise<SearchIndex>;
  /** Called once after the case, also when it failed. */
  readonly dispose?: () => Promise<void>;
}

export const PUBLIC: Viewer = createViewer({ attributes: { clearance: ['O'] } });
export const SECRET: Viewer = createViewer({ attributes: { clearance: ['O', 'S'] } });
/** Sees nothing that has a label. */
export const NOBODY: Viewer = createViewer({ attributes: {} });

const MISSION = 'http://example.org/Mission';

/** Documents with labels on whole documents, fields and list items. */
export const SAMPLE: readonly SearchDocument[] = [
  {
    uri: 'd:1',
    primaryName: 'Harbour survey',
    content: 'The survey of the old harbour found three wrecks and a lighthouse.',
    types: [MISSION],
    start: '2020-03-01',
    depth: 12,
    notes: ['wrecks lie shallow', 'treasure was found'],
    securityLabels: { defaults: 'clearance=O', notes: ['', 'clearance=S'] },
  },
  {
    uri: 'd:2',
    primaryName: 'Lighthouse repairs',
    content: 'Repairs of the lighthouse: wrecks, wrecks and more wrecks nearby.',
    types: [MISSION, 'http://example.org/Repair'],
    start: '2021-07-15',
    depth: 3,
    securityLabels: { defaults: 'clearance=S' },
  },
  {
    uri: 'd:3',
    primaryName: 'Harbour repairs',
    content: 'Repairs of the harbour wall. <b>Danger</b> & noise.',
    types: ['http://example.org/Repair'],
    start: '2019-01-20',
    about: 'd:1',
    isState: true,
    isIdentifiedBy: [{ types: ['http://example.org/Berth'], representationValue: 'B-7' }],
    entities: [
      { text: 'Wall', category: 'http://example.org/Thing', mentions: [{ field: 'content', start: 23, end: 27 }] },
      {
        text: 'Noise',
        category: 'http://example.org/Thing',
        mentions: [],
        securityLabels: { defaults: 'clearance=S' },
      },
    ],
    securityLabels: { defaults: 'clearance=O' },
  },
  { uri: 'd:4', primaryName: 'No label', content: 'harbour wrecks' },
];

/** Puts documents into the index `search`. */
export function puts(documents: readonly SearchDocument[], index = 'search'): DocumentChange[] {
  return documents.map((document) => ({ type: 'put', index, document }));
}

/** An index `search` with the sample. */
export async function openSample({ open }: SearchIndexHarness): Promise<SearchIndex> {
  const index = await open(['search']);
  await index.apply(puts(SAMPLE));
  return index;
}

/** The ids that a search finds, in order. */
export async function idsOf(index: SearchIndex, viewer: Viewer, request: SearchRequest | string): Promise<string[]> {
  const { results } = await index.search(viewer, typeof request === 'string' ? { query: request } : request);
  return results.map(({ id }) => id);
}

/** The same in order of id, where a law says nothing about ranks. */
export async function idSetOf(index: SearchIndex, viewer: Viewer, request: SearchRequest | string): Promise<string[]> {
  return (await idsOf(index, viewer, request)).sort();
}

/** Compares by JSON text. @throws an error with both when they differ */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [have, want] = [toText(actual), toText(expected)];
  if (have !== want) throw new Error(`${what}: expected ${shorten(want)}, got ${shorten(have)}`);
}

/** @throws an error unless a call rejects with this code */
export async function ensureRefused(call: () => Promise<unknown>, code: string, what: string): Promise<void> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (isCodedError(error) && error.code === code) return;
    throw new Error(`${what}: expected ${code}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`${what}: expected ${code}, got ${shorten(toText(result))}`);
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function shorten(text: string): string {
  return text.length <= 2000 ? text : `${text.slice(0, 2000)}...`;
}
