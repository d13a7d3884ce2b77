import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import type { DocumentChange, ReadOperation, SearchIndex, StatesRequest } from '../port/search-index.ts';
import {
  ensureEqual,
  ensureRefused,
  idSetOf,
  NOBODY,
  openSample,
  PUBLIC,
  puts,
  SAMPLE,
  SECRET,
  type SearchIndexHarness,
} from './sample.ts';

/** One call of every operation that reads. */
const READS: Readonly<Record<string, (index: SearchIndex, operation?: ReadOperation) => Promise<unknown>>> = {
  search: (index, operation) => index.search(SECRET, { query: 'wrecks', ...operation }),
  typeahead: (index, operation) => index.typeahead(SECRET, { query: 'har', ...operation }),
  facets: (index, operation) => index.facets(SECRET, { query: 'wrecks', facet: 'types', ...operation }),
  states: (index, operation) => index.states(SECRET, { ids: ['d:1'], ...operation }),
  getDocument: (index, operation) => index.getDocument(SECRET, 'd:1', operation),
  getDocuments: (index, operation) => index.getDocuments(SECRET, ['d:1'], operation),
  explain: (index, operation) => index.explain(SECRET, { query: 'wrecks', id: 'd:1', ...operation }),
  correctEntity: (index, operation) =>
    index.correctEntity(SECRET, {
      documentUri: 'd:3',
      entityText: 'Wall',
      entityCategory: 'http://example.org/Thing',
      resolvedEntityUri: 'http://example.org/wall',
      resolvedCategory: 'http://example.org/Wall',
      ...operation,
    }),
};

/** Laws of the other operations and of changes. */
export const operationCases: readonly ConformanceCase<SearchIndexHarness>[] = casesOf<SearchIndexHarness>('core', {
  async 'shows a batch when its promise resolves, replaces by id and deletes'(harness) {
    const index = await openSample(harness);
    await index.apply([
      { type: 'put', index: 'search', document: { ...SAMPLE[0], content: 'changed' } },
      { type: 'delete', index: 'search', id: 'd:2' },
    ]);
    ensureEqual(await idSetOf(index, SECRET, 'changed'), ['d:1'], 'new words');
    ensureEqual(await idSetOf(index, SECRET, 'lighthouse'), [], 'old words');
    ensureEqual((await index.getDocument(SECRET, 'd:2')) ?? null, null, 'deleted');
  },

  async 'applies a batch whole or not at all'(harness) {
    const index = await openSample(harness);
    const good: readonly DocumentChange[] = [
      ...puts([{ uri: 'd:9', text: 'x', securityLabels: { defaults: '*' } }]),
      { type: 'delete', index: 'search', id: 'd:1' },
    ];
    const bad = puts([{ uri: '' }]);
    const elsewhere = puts([SAMPLE[0]], 'nowhere');
    const positions = { topic: '1' };
    await ensureRefused(() => index.apply([...good, ...bad], positions), 'ERR_DOCUMENT', 'no uri');
    await ensureRefused(() => index.apply([...good, ...elsewhere], positions), 'ERR_UNKNOWN_INDEX', 'unknown index');
    const { 'd:9': put, 'd:1': deleted } = await index.getDocuments(SECRET, ['d:9', 'd:1']);
    ensureEqual([put, deleted?.['uri'], index.positions()], [null, 'd:1', {}], 'nothing of it');
  },

  async 'keeps named indices apart and refuses unknown ones'({ open }) {
    const index = await open(['one', 'two']);
    await index.apply([...puts([SAMPLE[0]], 'one'), ...puts([SAMPLE[2]], 'two')]);
    ensureEqual(index.indices, ['one', 'two'], 'names');
    ensureEqual(await idSetOf(index, SECRET, 'harbour'), ['d:1', 'd:3'], 'all');
    ensureEqual(await idSetOf(index, SECRET, { query: 'harbour', indices: ['two'] }), ['d:3'], 'one of them');
    await ensureRefused(() => index.search(SECRET, { query: 'a', indices: ['no'] }), 'ERR_UNKNOWN_INDEX', 'unknown');
  },

  async 'suggests by the words in order, the last as a prefix, unstemmed'(harness) {
    const index = await openSample(harness);
    const suggest = async (query: string) => {
      const { results, type } = await index.typeahead(SECRET, { query });
      return [type, results.map(({ id }) => id).sort()];
    };
    ensureEqual(await suggest('har'), ['phrase', ['d:1', 'd:3']], 'prefix');
    ensureEqual(await suggest('harbour s'), ['phrase', ['d:1']], 'two words');
    ensureEqual(await suggest('repairs h'), ['phrase', []], 'order');
    ensureEqual(await suggest('repairsx'), ['phrase', []], 'no stemming');
  },

  async 'counts a facet over the best matches'(harness) {
    const index = await openSample(harness);
    const facets = await index.facets(SECRET, { query: 'harbour lighthouse', facet: 'types' });
    ensureEqual(facets.sampleSize, 3, 'sample');
    const half = { count: 2, percentage: 0.5 };
    const expected = [
      { value: 'http://example.org/Mission', ...half },
      { value: 'http://example.org/Repair', ...half },
    ];
    ensureEqual(facets.results, expected, 'types');
    const nested = await index.facets(SECRET, { query: '*:*', facet: 'isIdentifiedBy/representationValue' });
    ensureEqual(nested.results, [{ value: 'B-7', count: 1, percentage: 1 }], 'nested');
    const numbers = await index.facets(SECRET, { query: '*:*', facet: 'depth' });
    const shares = ['12', '3'].map((value) => ({ value, count: 1, percentage: 0.5 }));
    ensureEqual(numbers.results, shares, 'numbers');
    const words = await index.facets(SECRET, { query: '*:*', facet: 'entities/text' });
    ensureEqual(
      words.results.map(({ value }) => value),
      ['Noise', 'Wall'],
      'in order of values',
    );
  },

  async 'gives the states that mention an entity'(harness) {
    const index = await openSample(harness);
    const states = await index.states(SECRET, { ids: ['d:1', 'd:2'] });
    const { type, query, results = [] } = states['d:1'] ?? {};
    ensureEqual([type, query, results.map(({ id }) => id)], ['query', 'd:1', ['d:3']], 'mentioned');
    ensureEqual(states['d:2'], null, 'not mentioned');
  },

  async 'sorts states, narrows them by a range and shows their labels as asked'({ open }) {
    const index = await open(['search']);
    const state = (uri: string, start: string, depth: number) => {
      const named = { uri, about: 'd:1', isState: true, start, depth };
      return { ...named, securityLabels: { defaults: 'clearance=O' } };
    };
    await index.apply(puts([SAMPLE[0], state('b', '2020', 1), state('a', '2022', 1), state('c', '2021', 2)]));
    const states = async (request: Omit<StatesRequest, 'ids'>) => {
      return (await index.states(PUBLIC, { ids: ['d:1'], ...request }))['d:1']?.results ?? [];
    };
    const ids = async (request: Omit<StatesRequest, 'ids'>) => (await states(request)).map(({ id }) => id);
    ensureEqual(await ids({ sort: '<start' }), ['b', 'c', 'a'], 'ascending');
    ensureEqual(await ids({ sort: '>start' }), ['a', 'c', 'b'], 'descending');
    ensureEqual(await ids({ sort: 'start' }), ['a', 'c', 'b'], 'a bare field');
    ensureEqual(await ids({ sort: '<depth,>start' }), ['a', 'b', 'c'], 'by two fields');
    ensureEqual((await ids({ range: { start: '2021', fields: ['start'] } })).sort(), ['a', 'c'], 'range');
    const labels = async (showSecurityLabels: boolean) =>
      (await states({ showSecurityLabels })).map(({ document }) => document['securityLabels'] !== undefined);
    ensureEqual(await labels(true), [true, true, true], 'labels that were asked for');
    ensureEqual(await labels(false), [false, false, false], 'labels that were not');
  },

  async 'gives documents by id, labels only when asked for'(harness) {
    const index = await openSample(harness);
    const found = await index.getDocuments(PUBLIC, ['d:1', 'd:2', 'd:0']);
    ensureEqual(found['d:1']?.['notes'], ['wrecks lie shallow'], 'redacted');
    ensureEqual([found['d:2'], found['d:0']], [null, null], 'invisible and missing');
    const labelled = await index.getDocument(PUBLIC, 'd:3', { showSecurityLabels: true });
    ensureEqual((labelled?.['securityLabels'] as { defaults?: string })?.defaults, 'clearance=O', 'labels');
  },

  async 'corrects visible entities only'(harness) {
    const index = await openSample(harness);
    const resolved = { resolvedEntityUri: 'http://example.org/wall', resolvedCategory: 'http://example.org/Wall' };
    const request = { documentUri: 'd:3', entityCategory: 'http://example.org/Thing', ...resolved };
    const corrected = await index.correctEntity(PUBLIC, { ...request, entityText: 'Wall' });
    const [entity] = (corrected?.document['entities'] ?? []) as { uri: string; category: string }[];
    ensureEqual([entity?.uri, entity?.category], ['http://example.org/wall', 'http://example.org/Wall'], 'entity');
    ensureEqual((await index.correctEntity(PUBLIC, { ...request, entityText: 'Noise' })) ?? null, null, 'invisible');
    if (corrected !== undefined) await index.apply([corrected.change]);
    ensureEqual(await idSetOf(index, PUBLIC, '"http://example.org/wall"'), ['d:3'], 'stored');
  },

  async 'explains a score'(harness) {
    const index = await openSample(harness);
    const { results } = await index.search(SECRET, { query: 'wrecks survey' });
    for (const { id, score } of results) {
      const explanation = await index.explain(SECRET, { query: 'wrecks survey', id });
      ensureEqual(explanation?.value, score, id);
    }
    ensureEqual((await index.explain(SECRET, { query: 'wrecks', id: 'd:3' })) ?? null, null, 'no match');
  },

  async 'stops when it is told to and when a budget runs out'(harness) {
    const index = await openSample(harness);
    for (const [name, read] of Object.entries(READS)) {
      await ensureRefused(() => read(index, { signal: AbortSignal.abort() }), 'ERR_CANCELLED', `${name}, aborted`);
    }
    const budget = { maxExpandedTerms: 1 };
    await ensureRefused(() => index.search(SECRET, { query: '*e*', budget }), 'ERR_SEARCH_BUDGET', 'expansions');
  },

  async 'refuses every call after it was closed, and may be closed twice'(harness) {
    const index = await openSample(harness);
    await index.close();
    const calls: Readonly<Record<string, (index: SearchIndex) => Promise<unknown>>> = {
      ...READS,
      apply: () => index.apply(puts([SAMPLE[0]])),
      flush: () => index.flush(),
    };
    for (const [name, call] of Object.entries(calls)) {
      await ensureRefused(() => call(index), 'ERR_INDEX_CLOSED', `${name} of a closed index`);
    }
    await index.close();
  },

  async 'remembers positions'(harness) {
    const index = await harness.open(['search']);
    await index.apply(puts([SAMPLE[0]]), { topic: '1' });
    await index.apply([], { other: '7', topic: '2' });
    ensureEqual(index.positions(), { topic: '2', other: '7' }, 'positions');
    Reflect.set(index.positions(), 'topic', '999');
    ensureEqual(
      index.positions(),
      { topic: '2', other: '7' },
      'positions, when a caller writes into what it was given',
    );
    if (harness.reopen === undefined) return;
    const reopened = await harness.reopen(index);
    ensureEqual(reopened.positions(), { topic: '2', other: '7' }, 'positions after reopening');
    ensureEqual(await idSetOf(reopened, PUBLIC, 'harbour'), ['d:1'], 'documents after reopening');
  },

  async 'never shows, finds or suggests what is hidden'(harness) {
    const index = await openSample(harness);
    const hidden = ['treasure', 'lighthouse AND repairs', 'depth:3', 'tre*', 'treasur~1', '_exists_:entities.none'];
    for (const query of hidden) ensureEqual(await idSetOf(index, PUBLIC, query), [], query);
    ensureEqual(await idSetOf(index, PUBLIC, '*:*'), ['d:1', 'd:3'], 'all');
    ensureEqual(await idSetOf(index, NOBODY, '*:*'), [], 'nobody');
    ensureEqual((await index.typeahead(PUBLIC, { query: 'lighth' })).results, [], 'typeahead');
    const facet = await index.facets(PUBLIC, { query: '*:*', facet: 'notes' });
    ensureEqual(facet.results, [{ value: 'wrecks lie shallow', count: 1, percentage: 1 }], 'facet');
  },
});
