import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { DocumentChange, SearchDocument } from '../port/search-index.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const nobody = createViewer({ attributes: {} });
const everybody = createViewerOfEverything();

/** A caller's change to its own arguments; types do not prevent it. */
// biome-ignore lint/suspicious/noExplicitAny: the test changes what is readonly
type Changeable = any;

function put(document: object, index = 'a'): DocumentChange {
  return { type: 'put', index, document: document as SearchDocument };
}

function open(): Promise<SearchEngine> {
  return openSearchIndex({ indices: ['a', 'b'] });
}

/** Everything that an index holds, for whoever sees everything and for whoever sees what is for everybody. */
async function contents(index: SearchEngine): Promise<string> {
  const request = { query: '*:*', limit: 1000, showSecurityLabels: true };
  const found = [];
  for (const viewer of [everybody, nobody]) {
    for (const name of index.indices) found.push(await index.search(viewer, { ...request, indices: [name] }));
    for (const query of ['before', 'after', 'added', 'm', 'other']) {
      found.push(await index.search(viewer, { ...request, query }));
    }
  }
  return JSON.stringify([found, index.positions()]);
}

interface Given {
  readonly changes: Changeable;
  readonly document: Changeable;
  readonly positions: Changeable;
}

function given(): Given {
  const document = {
    uri: 'm',
    name: 'before',
    list: ['before', { deep: 'before' }],
    nested: { name: 'before', number: 1 },
    securityLabels: { defaults: 'secret' },
  };
  const changes = [
    put({ uri: 'gone', name: 'before', securityLabels: { defaults: '*' } }),
    { type: 'delete', index: 'a', id: 'gone' },
    put(document),
  ];
  return { changes, document, positions: { topic: '1' } };
}

/** Changes to a batch in the tick in which it was passed. */
const CHANGES: Readonly<Record<string, (given: Given) => void>> = {
  'a text': ({ document }) => (document.name = 'after'),
  'an id': ({ document }) => (document.uri = 'other'),
  'a field that is added': ({ document }) => (document.more = 'added'),
  'a field that goes': ({ document }) => delete document.name,
  'a label': ({ document }) => (document.securityLabels.defaults = '*'),
  'the labels': ({ document }) => (document.securityLabels = { defaults: '*' }),
  'an item of a list': ({ document }) => (document.list[0] = 'after'),
  'the length of a list': ({ document }) => document.list.push('added'),
  'an object in a list': ({ document }) => (document.list[1].deep = 'after'),
  'a nested field': ({ document }) => (document.nested.name = 'after'),
  'a value that cannot be stored': ({ document }) => (document.nested.number = Number.NaN),
  'an index': ({ changes }) => (changes[2].index = 'b'),
  'an index that there is none of': ({ changes }) => (changes[2].index = 'c'),
  'a document': ({ changes }) =>
    (changes[2].document = { uri: 'other', name: 'other', securityLabels: { defaults: '*' } }),
  'the id of a deletion': ({ changes }) => (changes[1].id = 'm'),
  'the type of a change': ({ changes }) => (changes[2].type = 'delete'),
  'a change that is added': ({ changes }) =>
    changes.push(put({ uri: 'added', name: 'added', securityLabels: { defaults: '*' } })),
  'a batch that is emptied': ({ changes }) => (changes.length = 0),
  'a position': ({ positions }) => (positions.topic = '2'),
  'a position that is no text': ({ positions }) => (positions.topic = 2),
  'a position that is added': ({ positions }) => (positions.other = '2'),
};

describe('a batch that its caller changes after the call', () => {
  it.each(Object.entries(CHANGES))('is stored as it was passed: %s', async (_, change) => {
    const untouched = await open();
    const { changes, positions } = given();
    await untouched.apply(changes, positions);
    const expected = await contents(untouched);
    for (const isQueued of [false, true]) {
      const index = await open();
      const before = isQueued ? index.apply([], {}) : undefined;
      const batch = given();
      const applied = index.apply(batch.changes, batch.positions);
      change(batch);
      await applied;
      await before;
      expect(await contents(index), `queued: ${isQueued}`).toBe(expected);
    }
  });

  it('has the length that it was passed with, though it takes many slices to read', async () => {
    let time = 0;
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses++;
    };
    const index = await openSearchIndex({ indices: ['a'], nowMs: () => time++, nextTurn: pause });
    const changes = Array.from({ length: 50 }, (_, i) => put({ uri: `d${i}` }));
    const applied = index.apply(changes);
    changes.length = 10;
    await applied;
    expect(pauses).toBeGreaterThan(5);
    expect(index.statistics()[0]).toMatchObject({ documents: 50 });
  });

  it('is applied in the order of the calls, and one that is refused holds none up', async () => {
    const index = await open();
    const versions = Array.from({ length: 20 }, (_, i) => ({
      uri: 'd',
      version: i,
      securityLabels: { defaults: '*' },
    }));
    const calls = versions.flatMap((document, i) => [
      index.apply([put(document)], { topic: `${i}` }),
      index.apply([put({ ...document, version: 'refused' }), put({ uri: '' })], { topic: 'refused' }),
    ]);
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(versions.flatMap(() => ['fulfilled', 'rejected']));
    expect(await index.getDocument(nobody, 'd')).toEqual({ uri: 'd', version: 19 });
    expect(index.positions()).toEqual({ topic: '19' });
  });

  it('is read once, also where each reading would give something else', async () => {
    const index = await open();
    let reads = 0;
    const changing = (name: string) => ({
      enumerable: true,
      get: () => `${name}${reads++}`,
    });
    const document = Object.defineProperties({ name: 'x', securityLabels: { defaults: '*' } }, { uri: changing('u') });
    const positions = Object.defineProperties({}, { topic: changing('p') });
    await index.apply([put(document)], positions as Record<string, string>);
    expect(reads).toBe(2);
    const { results } = await index.search(nobody, { query: '*:*' });
    expect(results.map(({ id, document: shown }) => [id, shown['uri']])).toEqual([['u1', 'u1']]);
    expect(index.positions()).toEqual({ topic: 'p0' });
  });
});

describe('a closed index', () => {
  it('rejects what would change it, and throws nothing', async () => {
    const index = await open();
    await index.close();
    for (const call of [() => index.apply([]), () => index.flush(), () => index.compact(), () => index.purge()]) {
      const outcome = call();
      await expect(outcome).rejects.toMatchObject({ code: 'ERR_INDEX_CLOSED' });
    }
  });
});

/** Every door that takes a request, with one that uses all that it may hold. */
const DOORS: Readonly<
  Record<string, (index: SearchEngine) => readonly [Changeable, (request: Changeable) => unknown]>
> = (() => {
  const filters = () => ({
    indices: ['a'],
    budget: { maxExpandedTerms: 100, maxPostings: 10_000, timeLimitMs: 1e9 },
    typeFilter: { values: ['T'], mode: 'any' },
    range: { fields: ['year'], start: '2000', end: '2020' },
  });
  const page = { limit: 3, offset: 2, showSecurityLabels: true };
  const querying = () => ({
    query: 'mo*',
    type: 'query',
    ...page,
    highlight: { preTag: '<b>', postTag: '</b>' },
    ...filters(),
  });
  const correction = {
    documentUri: 'd3',
    entityText: 'moon',
    entityCategory: 'C',
    resolvedEntityUri: 'e:moon',
    resolvedCategory: 'R',
  };
  return {
    search: (index) => [querying(), (request) => index.search(nobody, request)],
    searchIds: (index) => [querying(), (request) => index.searchIds(nobody, request)],
    typeahead: (index) => [{ query: 'mo', fields: ['name'], ...page, ...filters() }, (r) => index.typeahead(nobody, r)],
    facets: (index) => [{ query: 'mo*', facet: 'kind', sampleSize: 5, ...filters() }, (r) => index.facets(nobody, r)],
    states: (index) => [{ ids: ['e:1', 'e:2'], sort: '<name', ...page, ...filters() }, (r) => index.states(nobody, r)],
    explain: (index) => [{ id: 'd3', ...querying() }, (request) => index.explain(nobody, request)],
    correctEntity: (index) => [{ ...correction, indices: ['a'] }, (request) => index.correctEntity(nobody, request)],
    getDocument: (index) => [{ indices: ['a'], ...page }, (request) => index.getDocument(nobody, 'd3', request)],
    getDocuments: (index) => [
      { indices: ['a'], ...page },
      (request) => index.getDocuments(nobody, ['d3', 'd4'], request),
    ],
  };
})();

/** Puts another value in the place of each in a request, and of each in the lists and objects that it holds. */
function scramble(request: Changeable): void {
  for (const [key, value] of Object.entries(request)) {
    if (Array.isArray(value)) value.fill('b', 0, value.length).push('b');
    else if (typeof value === 'object' && value !== null) scramble(value);
    else if (typeof value === 'number') request[key] = 1;
    else if (typeof value === 'boolean') request[key] = !value;
    else request[key] = key === 'type' ? 'phrase' : 'b';
  }
}

async function filled(): Promise<SearchEngine> {
  let time = 0;
  const index = await openSearchIndex({ indices: ['a', 'b'], nowMs: () => time++, nextTurn: async () => {} });
  const document = (i: number) => ({
    uri: `d${i}`,
    name: `moon ${i} b`,
    kind: `kind ${i % 3}`,
    year: 2000 + i,
    types: ['T'],
    isState: true,
    about: `e:${1 + (i % 2)}`,
    entities: [{ text: 'moon', category: 'C' }],
    securityLabels: { defaults: '*' },
  });
  await index.apply(Array.from({ length: 30 }, (_, i) => put(document(i))));
  await index.apply(Array.from({ length: 30 }, (_, i) => put({ ...document(i), uri: `b${i}`, kind: 'b' }, 'b')));
  return index;
}

describe('a request that its caller changes after the call', () => {
  it.each(Object.entries(DOORS))('is answered as it was passed: %s', async (_, door) => {
    const index = await filled();
    const [request, call] = door(index);
    const expected = JSON.stringify(await call(request));
    const answer = call(request);
    scramble(request);
    expect(JSON.stringify(await answer)).toBe(expected);
    // What was put in its place would be answered otherwise.
    const other = await Promise.resolve(call(request)).then(
      (result) => JSON.stringify(result) ?? 'undefined',
      () => 'refused',
    );
    expect(other).not.toBe(expected);
  });
});
