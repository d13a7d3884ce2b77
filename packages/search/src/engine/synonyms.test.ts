import { createMemoryBlobStore } from '@cairn/events';
import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { SynonymRow } from '../mapping/configuration.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewerOfEverything();

const TEXTS: Readonly<Record<string, string>> = {
  car: 'a car in the street',
  auto: 'an automobile in the street',
  motor: 'motor cars of the year',
  york: 'flights to New York',
  ny: 'hotels in NY',
  apart: 'York is new to me',
};

async function open(synonyms: readonly SynonymRow[]): Promise<SearchEngine> {
  const index = await openSearchIndex({ indices: [{ name: 'texts', defaultLabel: '*', synonyms }] });
  const documents = Object.entries(TEXTS).map(([uri, content]) => ({ uri, content }));
  await index.apply(documents.map((document) => ({ type: 'put', index: 'texts', document })));
  return index;
}

async function find(index: SearchEngine, query: string, type: 'query' | 'term' | 'phrase' = 'query') {
  const { results } = await index.search(viewer, { query, type });
  return results.map(({ id }) => id);
}

describe('synonyms', () => {
  it('find each other, the word itself first, by words and by phrases', async () => {
    const index = await open([
      ['car', 'automobile', 'motor car'],
      ['ny', 'new york'],
    ]);
    expect((await find(index, 'car')).sort()).toEqual(['auto', 'car', 'motor']);
    expect((await find(index, 'motor car'))[0]).toBe('motor');
    expect((await find(index, 'automobiles')).sort()).toEqual(['auto', 'car', 'motor']);
    expect(await find(index, 'ny')).toEqual(['ny', 'york']);
    expect(await find(index, '"new york"')).toEqual(['york', 'ny']);
    expect(await find(index, '"flights to NY"')).toEqual(['york']);
    expect(await find(index, '"hotels in new york"')).toEqual(['ny']);
    expect(await find(index, 'new york hotels')).toContain('ny');
    expect(await find(index, 'new york', 'term')).toContain('ny');
    expect(await find(index, '+new +york')).toEqual(['york', 'apart']);
    expect(await find(index, 'content:ny')).toEqual(['ny', 'york']);
  });

  it('are found one way where they are configured so', async () => {
    const index = await open([{ from: ['car'], to: ['automobile'] }]);
    expect(await find(index, 'car')).toEqual(expect.arrayContaining(['auto', 'car', 'motor']));
    expect(await find(index, 'automobile')).toEqual(['auto']);
  });

  it('weigh no more than what they stand for, however rare they are', async () => {
    const index = await open([['street', 'automobile']]);
    const { results } = await index.search(viewer, { query: 'content:street' });
    const plain = await (await open([])).search(viewer, { query: 'content:street' });
    expect(results.find(({ id }) => id === 'car')?.score).toBe(plain.results.find(({ id }) => id === 'car')?.score);
    const auto = (await index.search(viewer, { query: 'content:automobile' })).results;
    expect(auto[0].id).toBe('auto');
    const explained = JSON.stringify(await index.explain(viewer, { query: 'content:street', id: 'auto' }));
    expect(explained).toContain(String.raw`for \"automobile\", a synonym of \"street\"`);
  });

  it('are marked where they matched', async () => {
    const index = await open([['ny', 'new york']]);
    const { results } = await index.search(viewer, { query: 'ny', highlight: { preTag: '[', postTag: ']' } });
    expect(results.map(({ highlighted }) => highlighted?.['content'])).toEqual([
      'hotels in [NY]',
      'flights to [New] [York]',
    ]);
  });

  it('build nothing anew when they change', async () => {
    const blobs = createMemoryBlobStore();
    const options = (synonyms: readonly SynonymRow[]) => ({ indices: [{ name: 'texts', synonyms }], blobs });
    const first = await openSearchIndex(options([]));
    const document = { uri: 'a', content: 'an automobile', securityLabels: { defaults: '*' } };
    await first.apply([{ type: 'put', index: 'texts', document }]);
    await first.flush();
    let built = 0;
    const second = await openSearchIndex({ ...options([['car', 'automobile']]), onRebuild: () => built++ });
    await second.settle();
    expect(built).toBe(0);
    expect(await find(second, 'car')).toEqual(['a']);
  });

  it('count as expansions of a query', async () => {
    const index = await open([['car', 'automobile', 'motor car']]);
    const asked = index.search(createViewer({ attributes: {} }), { query: 'car', budget: { maxExpandedTerms: 1 } });
    await expect(asked).rejects.toMatchObject({ code: 'ERR_SEARCH_BUDGET' });
  });

  it.each<[rows: unknown, message: string]>([
    ['car', 'synonyms of index texts must be a list of rows; got a text'],
    [[['a', 'b'], ['car']], 'synonyms[1] of index texts must have 2 to 64 texts; got 1'],
    [[['a', 'b'], { from: ['a'] }], 'to of synonyms[1] of index texts must be a list of texts; got undefined'],
    [[{ from: [], to: ['a'] }], 'from of synonyms[0] of index texts must have 1 to 64 texts; got 0'],
    [[['a', '...']], 'each text of synonyms[0] of index texts must have 1 to 8 words; got 0 in "..."'],
    [[['a', 'b '.repeat(9)]], 'each text of synonyms[0] of index texts must have 1 to 8 words; got 9'],
    [
      [['a', 'b'.repeat(300)]],
      'each text of synonyms[0] of index texts must have at most 256 characters; got a text of 300',
    ],
    [[['a', 7]], 'each text of synonyms[0] of index texts must be a text; got 7'],
    [[7], 'synonyms[0] of index texts must be a list of texts, or from and to; got 7'],
    [
      Array.from({ length: 10_001 }, () => ['a', 'b']),
      'synonyms of index texts must have at most 10000 rows; got 10001',
    ],
  ])('are refused by row: %j', async (synonyms, message) => {
    const indices = [{ name: 'texts', synonyms: synonyms as SynonymRow[] }];
    await expect(openSearchIndex({ indices })).rejects.toMatchObject({
      code: 'ERR_CONFIGURATION',
      message: expect.stringContaining(message),
    });
  });
});
