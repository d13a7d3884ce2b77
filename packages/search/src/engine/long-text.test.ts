import { createMemoryBlobStore } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { DocumentChange } from '../port/search-index.ts';
import { VALUE_GAP, VALUE_STRIDE } from '../postings/positions.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: {} });

function put(uri: string, body: string | readonly string[]): DocumentChange {
  return { type: 'put', index: 'search', document: { uri, body, securityLabels: { defaults: '*' } } };
}

/** A text of so many words, with other words at some places. */
function makeText(words: number, at: Readonly<Record<number, string>>): string {
  const text = new Array<string>(words).fill('rock');
  for (const [place, word] of Object.entries(at)) text[Number(place)] = word;
  return text.join(' ');
}

async function ids(index: SearchEngine, query: string): Promise<string[]> {
  return (await index.searchIds(viewer, { query })).results.map(({ id }) => id);
}

/** Places around the borders of what positions are counted in. */
const LENGTH = 2 * VALUE_STRIDE + 1000;
const PAIRS: Readonly<Record<number, string>> = {
  [VALUE_STRIDE - 1]: 'aaa',
  [VALUE_STRIDE]: 'bbb',
  [VALUE_STRIDE + 1]: 'ccc',
  [VALUE_STRIDE + 500]: 'ddd',
  [VALUE_STRIDE + 501]: 'ddd',
  [2 * VALUE_STRIDE - 1]: 'eee',
  [2 * VALUE_STRIDE]: 'fff',
  [LENGTH - 1]: 'last',
};

async function expectWhole(index: SearchEngine): Promise<void> {
  for (const phrase of ['aaa bbb', 'bbb ccc', 'aaa bbb ccc', 'ddd ddd', 'eee fff', 'rock last']) {
    expect(await ids(index, `"${phrase}"`), phrase).toEqual(['long']);
  }
  for (const phrase of ['ccc bbb', 'aaa ccc', 'bbb ddd', 'ddd ddd ddd', 'last rock', 'fff eee']) {
    expect(await ids(index, `"${phrase}"`), phrase).toEqual([]);
  }
  expect(await ids(index, '"aaa ccc"~1')).toEqual(['long']);
  expect(await ids(index, '"bbb ddd"~498')).toEqual([]);
  expect(await ids(index, '"bbb ddd"~499')).toEqual(['long']);
}

describe('a text of more words than a stride of positions', () => {
  it('is indexed whole, merged, stored and loaded', async () => {
    const blobs = createMemoryBlobStore();
    const index = await openSearchIndex({ indices: ['search'], blobs });
    await index.apply([put('long', makeText(LENGTH, PAIRS))]);
    await expectWhole(index);
    await index.apply([put('a', 'some other'), put('gone', 'text')]);
    await index.apply([{ type: 'delete', index: 'search', id: 'gone' }]);
    await index.compact();
    await expectWhole(index);
    await index.flush();
    await index.close();
    await expectWhole(await openSearchIndex({ indices: ['search'], blobs }));
  }, 120_000);

  it('is merged in the background', async () => {
    const index = await openSearchIndex({ indices: ['search'] });
    await index.apply([put('long', makeText(LENGTH, PAIRS))]);
    for (let i = 0; i < 16; i++) await index.apply([put(`d${i}`, 'dust')]);
    await index.settle();
    await expectWhole(index);
  }, 120_000);

  it('lets no phrase reach from one item of a list into the next, however long they are', async () => {
    const index = await openSearchIndex({ indices: ['search'] });
    const lengths = [VALUE_GAP, VALUE_STRIDE - 1, VALUE_STRIDE, VALUE_STRIDE + 1];
    for (const length of lengths) {
      const items = [makeText(length, { [length - 1]: `end${length}` }), `next${length} one`, 'two'];
      await index.apply([put(`list${length}`, items)]);
    }
    for (const length of lengths) {
      expect(await ids(index, `"rock end${length}"`)).toEqual([`list${length}`]);
      expect(await ids(index, `"next${length} one"`)).toEqual([`list${length}`]);
      for (const phrase of [
        `"end${length} next${length}"`,
        `"end${length} next${length}"~262144`,
        '"one two"~262144',
      ]) {
        expect(await ids(index, phrase), phrase).toEqual([]);
      }
    }
  }, 120_000);

  it('finds a word of many forms that stands in it hundreds of thousands of times', async () => {
    const index = await openSearchIndex({ indices: [{ name: 'search', typeaheadFields: ['body'] }] });
    const text = `${'star stark '.repeat(200_000)}end`;
    await index.apply([put('long', text)]);
    const { results } = await index.typeahead(viewer, { query: 'star' });
    expect(results.map(({ id }) => id)).toEqual(['long']);
  }, 120_000);
});
