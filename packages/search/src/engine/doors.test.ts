import { isCodedError } from '@cairn/errors';
import { type Door, doorFaults } from '@cairn/errors/conformance';
import { createMemoryBlobStore } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { listIndexBlobs } from '../persistence/manifest.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: {} });
const put = (document: unknown) => [{ type: 'put', index: 'search', document }];
const labelled = (fields: object) => put({ uri: 'x', ...fields, securityLabels: { defaults: '*' } });
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

/** A function of the engine, what JavaScript may pass to it, and what the error says. */
const REFUSED: readonly (readonly [door: keyof SearchEngine, args: readonly unknown[], message: string])[] = [
  ['search', [undefined, { query: 'a' }], 'viewer must be one that createViewer made; got undefined'],
  ['search', [null, { query: 'a' }], 'got null'],
  ['search', [viewer], 'request must be an object; got undefined'],
  ['search', [viewer, { query: undefined }], 'query must be a text; got undefined'],
  ['search', [viewer, { query: 5 }], 'query must be a text; got 5'],
  ['search', [viewer, { query: 'a'.repeat(40_000), type: 'phrase' }], 'at most 32768 characters; got 40000'],
  [
    'search',
    [viewer, { query: 'a', type: 'regexp' }],
    'type must be query, term, phrase, as-you-type, like or like-document; got a text',
  ],
  ['search', [viewer, { query: 'a', indices: 'search' }], 'indices must be a list of texts; got a text'],
  ['search', [viewer, { query: 'a', limit: '5' }], 'limit must be 1 to 1000; got a text'],
  ['search', [viewer, { query: 'a', limit: 5n }], 'limit must be 1 to 1000; got a bigint'],
  ['search', [viewer, { query: 'a', limit: Number.NaN }], 'limit must be 1 to 1000; got NaN'],
  ['search', [viewer, { query: 'a', highlight: { preTag: 5 } }], 'highlight.preTag must be a text; got 5'],
  ['search', [viewer, { query: 'a', budget: { maxPostings: Number.NaN } }], 'budget.maxPostings'],
  ['search', [viewer, { query: 'a', typeFilter: { values: 'T' } }], 'typeFilter.values must be a list of texts'],
  ['search', [viewer, { query: 'a', range: { start: new Date(), fields: ['f'] } }], 'range.start must be a text'],
  ['search', [viewer, { query: 'a', signal: {} }], 'signal must be an AbortSignal; got an object'],
  ['search', [viewer, { query: 'a', signal: null }], 'signal must be an AbortSignal; got null'],
  ['typeahead', [viewer, { query: 'a', signal: 5 }], 'signal must be an AbortSignal; got 5'],
  ['getDocument', [viewer, 'a', { signal: {} }], 'signal must be an AbortSignal; got an object'],
  ['states', [viewer, { ids: [], signal: 'x' }], 'signal must be an AbortSignal; got a text'],
  ['searchIds', [{}, { query: 'a' }], 'viewer must be'],
  ['typeahead', [viewer, { query: null }], 'query must be a text; got null'],
  ['typeahead', [viewer, { query: 'a', fields: 'name' }], 'fields must be a list of texts; got a text'],
  ['facets', [viewer, { query: 'a' }], 'facet must be a text; got undefined'],
  ['states', [viewer, { ids: 'abc' }], 'ids must be a list of texts; got a text'],
  ['states', [undefined, { ids: [] }], 'viewer must be'],
  ['getDocument', [viewer, undefined], 'id must be a text; got undefined'],
  ['getDocument', [undefined, 'a'], 'viewer must be'],
  ['getDocuments', [viewer, 'abc'], 'ids must be a list of texts; got a text'],
  ['explain', [viewer, { query: 'a' }], 'id must be a text; got undefined'],
  ['correctEntity', [viewer, { documentUri: 'a' }], 'entityText must be a text; got undefined'],
  ['apply', ['abc'], 'changes must be a list; got a text'],
  ['apply', [[null]], 'each change must be an object; got null'],
  ['apply', [[{ type: 'add', index: 'search' }]], 'the type of a change must be put or delete'],
  ['apply', [[{ type: 'delete', index: 'search' }]], 'the id of a deletion must be a text; got undefined'],
  ['apply', [[], { topic: 5 }], 'the position of topic must be a text; got 5'],
  ['apply', [put(null)], 'a document must be an object; got null'],
  ['apply', [labelled({ a: Number.NaN })], 'the field a must be'],
  ['apply', [labelled({ a: { b: [1n] } })], 'got a bigint'],
  ['apply', [labelled({ a: () => 1 })], 'got a function'],
  ['apply', [labelled({ a: new Map() })], 'the field a must be'],
  ['apply', [labelled({ a: new Date(Number.NaN) })], 'must be a date that there is'],
  ['apply', [labelled({ cyclic })], 'not contain itself'],
  ['apply', [put({ uri: 'x', securityLabels: { defaults: undefined } })], 'the label securityLabels.defaults must be'],
];

describe('what JavaScript passes to a search index', () => {
  it.each(REFUSED)('is refused by its name, and nothing is applied: %s %#', async (door, args, message) => {
    const index = await openSearchIndex({ indices: ['search'] });
    const call = index[door] as (...given: readonly unknown[]) => Promise<unknown>;
    const error: unknown = await call.call(index, ...args).catch((reason: unknown) => reason);
    expect(isCodedError(error), String(error)).toBe(true);
    expect((error as Error).message).toContain(message);
    expect(index.statistics()[0]).toMatchObject({ documents: 0 });
    expect(index.positions()).toEqual({});
  });

  it('takes a Date for a date, and leaves out what is undefined', async () => {
    const index = await openSearchIndex({ indices: ['search'] });
    const document = { uri: 'x', start: new Date('2020-05-01T10:00:00Z'), gone: undefined };
    await (index.apply as (changes: unknown) => Promise<void>).call(index, labelled(document));
    expect((await index.search(viewer, { query: 'start:[2020-05 TO 2020-06]' })).results).toHaveLength(1);
    const found = await index.getDocument(viewer, 'x');
    expect(found).toEqual({ uri: 'x', start: '2020-05-01T10:00:00.000Z' });
  });
});

const indices = ['search'];
const stored = () => createMemoryBlobStore();

const OPENING: readonly Door[] = [
  ['openSearchIndex', (wrong) => openSearchIndex(wrong), []],
  ['openSearchIndex, indices', (wrong) => openSearchIndex({ indices: wrong }), []],
  ['openSearchIndex, an index', (wrong) => openSearchIndex({ indices: [wrong] }), ['text']],
  [
    'openSearchIndex, a hole and an index',
    (wrong) => openSearchIndex({ indices: Object.assign(new Array(2), { 1: wrong }) }),
    [],
  ],
  ['openSearchIndex, the name of an index', (name) => openSearchIndex({ indices: [{ name }] }), ['text']],
  ['openSearchIndex, blobs', (blobs) => openSearchIndex({ indices, blobs }), ['undefined']],
  ['openSearchIndex, name', (name) => openSearchIndex({ indices, blobs: stored(), name }), ['text', 'undefined']],
  ...(['nowMs', 'nextTurn', 'onRebuild', 'onFailure'] as const).map(
    (name): Door => [
      `openSearchIndex, ${name}`,
      (wrong) => openSearchIndex({ indices, [name]: wrong }),
      ['function', 'undefined'],
    ],
  ),
  ['listIndexBlobs', (wrong) => listIndexBlobs(wrong), []],
  ['listIndexBlobs, name', (name) => listIndexBlobs(stored(), name), ['text', 'undefined']],
];

describe('a door by which an index is opened', () => {
  it.each(OPENING)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });
});
