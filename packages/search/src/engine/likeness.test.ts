import { createViewer, createViewerOfEverything, type Viewer } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LikeOptions, SearchDocument, SearchIndex, SearchRequest } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const EVERYTHING = createViewerOfEverything();
const NOBODY = createViewer({ attributes: {} });

const EVERYONE = { securityLabels: { defaults: '*' } };
const DOCUMENTS: readonly SearchDocument[] = [
  {
    uri: 'seals',
    text: 'Seals and more seals on the ice of the harbour.',
    notes: 'Walrus nearby.',
    securityLabels: { defaults: '*', notes: 'c=S' },
  },
  { uri: 'ice', text: 'The ice of the harbour holds.', ...EVERYONE },
  { uri: 'walrus', text: 'A walrus on the shore.', ...EVERYONE },
  { uri: 'harbour', text: 'The harbour.', ...EVERYONE },
  { uri: 'seal', text: 'A seal.', ...EVERYONE },
];

let index: SearchIndex;
beforeAll(async () => {
  index = await openSearchIndex({ indices: ['search', 'other'] });
  await index.apply(DOCUMENTS.map((document) => ({ type: 'put', index: 'search', document })));
});

async function ids(request: SearchRequest, viewer: Viewer = EVERYTHING): Promise<string[]> {
  return (await index.search(viewer, request)).results.map(({ id }) => id);
}

function like(query: string, options?: LikeOptions): SearchRequest {
  return { query, type: 'like', like: options };
}

function likeDocument(query: string, options?: LikeOptions): SearchRequest {
  return { query, type: 'like-document', like: options };
}

describe('like', () => {
  it('finds by the words that are frequent in the text and rare elsewhere', async () => {
    const text = 'harbour harbour: seal, walrus (and AND "the';
    expect((await ids(like(text))).sort()).toEqual(['harbour', 'ice', 'seal', 'seals', 'walrus']);
    expect(await ids(like('harbour walrus', { maxTerms: 1 }))).toEqual(['walrus', 'seals']);
    expect((await ids(like(text, { minTermFrequency: 2 }))).sort()).toEqual(['harbour', 'ice', 'seals']);
    expect((await ids(like(text, { minDocumentFrequency: 3 }))).sort()).toEqual(['harbour', 'ice', 'seals']);
    expect((await ids(like(text, { maxDocumentFrequency: 2 }))).sort()).toEqual(['seal', 'seals', 'walrus']);
    expect(await ids(like('the of nothing'))).toEqual([]);
  });

  it('scores, marks and explains as a search for those words', async () => {
    const words = await index.search(EVERYTHING, { query: 'walrus seals', type: 'term', highlight: true });
    const found = await index.search(EVERYTHING, { ...like('walrus seals'), highlight: true });
    expect(found).toEqual({ ...words, type: 'like' });
    const explained = await index.explain(EVERYTHING, { ...like('walrus'), id: 'walrus' });
    expect(explained?.value).toBe(found.results.find(({ id }) => id === 'walrus')?.score);
  });

  it('counts and narrows what is like it, in every operation that takes a query', async () => {
    const request = { ...like('walrus'), total: true, facets: [{ field: 'text' }] };
    expect((await index.search(EVERYTHING, request)).total).toEqual({ value: 2, relation: 'eq' });
    expect((await index.facets(EVERYTHING, { ...like('walrus'), facet: 'uri' })).sampleSize).toBe(2);
    expect(await ids({ ...like('walrus'), queryFields: ['notes'] })).toEqual(['seals']);
    expect(await ids({ ...like('walrus'), indices: ['other'] })).toEqual([]);
  });
});

describe('like-document', () => {
  it('finds other documents by the visible words of one', async () => {
    expect(await ids(likeDocument('seals', { maxTerms: 1 }))).toEqual(['seal']);
    expect((await ids(likeDocument('seals'))).sort()).toEqual(['harbour', 'ice', 'seal', 'walrus']);
    expect((await ids(likeDocument('seals'), NOBODY)).sort()).toEqual(['harbour', 'ice', 'seal']);
    expect((await ids({ ...likeDocument('seals'), queryFields: ['notes'] })).sort()).toEqual([]);
    expect(await ids(likeDocument('seal', { minDocumentFrequency: 3 }))).toEqual([]);
  });

  it('does not take a document from an index that is not read, nor one that is hidden or not there', async () => {
    const message = 'there is no document with this id';
    const refused = { code: 'ERR_NO_DOCUMENT', kind: 'not-found', message };
    await expect(ids({ ...likeDocument('seals'), indices: ['other'] })).rejects.toMatchObject(refused);
    await expect(ids(likeDocument('nowhere'))).rejects.toMatchObject(refused);
    const hidden = { uri: 'hidden', text: 'seals', securityLabels: { defaults: 'c=S' } };
    await index.apply([{ type: 'put', index: 'other', document: hidden }]);
    await expect(ids(likeDocument('hidden'), NOBODY)).rejects.toMatchObject(refused);
    await index.apply([{ type: 'delete', index: 'other', id: 'hidden' }]);
    await expect(ids(likeDocument('hidden'))).rejects.toMatchObject(refused);
  });

  it('spends the budget of postings on visible words, and reads long documents in part', async () => {
    const own = await openSearchIndex({ indices: ['search'] });
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
    const document = (uri: string, text: string) => ({ uri, text, securityLabels: { defaults: '*' } });
    const put = (one: SearchDocument) => ({ type: 'put' as const, index: 'search', document: one });
    await own.apply([
      put(document('long', words.join(' '))),
      put(document('first', 'word7')),
      put(document('last', 'word19999')),
    ]);
    const { results } = await own.search(EVERYTHING, likeDocument('long'));
    expect(results.map(({ id }) => id)).toEqual(['first']);
    const request = { ...likeDocument('long'), budget: { maxPostings: 1000 } };
    await expect(own.search(EVERYTHING, request)).rejects.toMatchObject({ code: 'ERR_SEARCH_BUDGET' });
  });

  it('refuses bounds that are none', async () => {
    await expect(ids(like('a', 5 as never))).rejects.toThrow('like must be an object; got 5');
    await expect(ids(like('a', { maxTerms: 101 }))).rejects.toThrow('like.maxTerms must be 1 to 100; got 101');
    await expect(ids(like('a', { minTermFrequency: 0 }))).rejects.toThrow('like.minTermFrequency must be 1 to');
    await expect(ids({ query: 'a', type: 'alike' as never })).rejects.toThrow(
      'type must be query, term, phrase, as-you-type, like or like-document; got a text',
    );
  });
});
