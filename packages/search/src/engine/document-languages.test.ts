import { createMemoryBlobStore } from '@cairn/events';
import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { IndexSettings } from '../mapping/configuration.ts';
import type { SearchDocument } from '../port/search-index.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewerOfEverything();
const SETTINGS: IndexSettings = {
  name: 'texts',
  defaultLabel: '*',
  languages: ['en', 'de', 'fr'],
  languageField: 'metadata.language',
};
const GERMAN = 'Die Häuser am Hafen wurden nach dem Sturm von der Stadt vollständig erneuert.';
const ENGLISH = 'The houses at the harbour were completely renewed by the town after the storm.';
const FRENCH = 'Les maisons du port ont été entièrement rénovées par la ville après la tempête.';

async function open(
  documents: readonly SearchDocument[],
  settings: Partial<IndexSettings> = {},
): Promise<SearchEngine> {
  const index = await openSearchIndex({ indices: [{ ...SETTINGS, ...settings }] });
  await index.apply(documents.map((document) => ({ type: 'put', index: 'texts', document })));
  return index;
}

const TEXTS: readonly SearchDocument[] = [
  { uri: 'de', content: GERMAN },
  { uri: 'en', content: ENGLISH },
  { uri: 'fr', content: FRENCH },
];

async function find(index: SearchEngine, query: string, languages?: readonly string[]): Promise<string[]> {
  return (await index.search(viewer, { query, languages })).results.map(({ id }) => id);
}

describe('an index of several languages', () => {
  it('reads each text in its own, and a query in all of them', async () => {
    const index = await open(TEXTS);
    expect(await find(index, 'Haus')).toEqual(['de']);
    expect(await find(index, 'house')).toEqual(['en']);
    expect(await find(index, 'rénover')).toEqual(['fr']);
    expect(await find(index, '"Haus am Hafen"')).toEqual(['de']);
    expect(await find(index, 'dem')).toEqual([]);
    expect(await find(index, '+die +Haus')).toEqual(['de']);
  });

  it('reads a query in the languages that are asked for', async () => {
    const index = await open(TEXTS);
    expect(await find(index, 'Haus', ['de'])).toEqual(['de']);
    expect(await find(index, 'Haus', ['en'])).toEqual([]);
    expect(await find(index, 'Hafen', ['fr', 'de'])).toEqual(['de']);
    const facets = await index.facets(viewer, { query: 'Haus', languages: ['en'], facet: 'uri' });
    expect(facets.sampleSize).toBe(0);
    await expect(find(index, 'Haus', ['xx'])).rejects.toMatchObject({
      code: 'ERR_REQUEST',
      message: expect.stringContaining('each of languages must be one of en, da'),
    });
    await expect(find(index, 'Haus', [])).rejects.toMatchObject({ code: 'ERR_REQUEST' });
  });

  it('marks words as the text was read', async () => {
    const index = await open(TEXTS);
    const { results } = await index.search(viewer, { query: 'Haus', highlight: { preTag: '[', postTag: ']' } });
    expect(results[0].highlighted?.['content']).toContain('Die [Häuser] am');
  });

  it('takes the language that a document states, as a tag, for texts that tell nothing themselves', async () => {
    const state = (language: string) => [{ uri: 'a', name: 'Häuser', metadata: { language } }];
    for (const language of ['de', 'de-AT', 'ger', 'DEU'])
      expect(await find(await open(state(language)), 'Haus')).toEqual(['a']);
    for (const language of ['en', 'ja', '']) expect(await find(await open(state(language)), 'Haus')).toEqual([]);
  });

  it('lets a stated language count for texts under the same label, or where everybody sees it', async () => {
    const labelled = (label: string, ofLanguage: string): SearchDocument => ({
      uri: 'a',
      name: 'Häuser',
      metadata: { language: 'de', securityLabels: { language: ofLanguage } },
      securityLabels: { defaults: label },
    });
    const reader = createViewer({ attributes: { c: ['O', 'S'] } });
    for (const [label, ofLanguage, expected] of [
      ['c=O', 'c=O', ['a']],
      ['c=O', '*', ['a']],
      ['c=O', 'c=S', []],
    ] as const) {
      const index = await open([labelled(label, ofLanguage)]);
      const { results } = await index.search(reader, { query: 'name:Haus' });
      expect([label, ofLanguage, results.map(({ id }) => id)]).toEqual([label, ofLanguage, expected]);
    }
  });

  it('leaves fields that have a language of their own as they are', async () => {
    const index = await open(TEXTS, { fields: { content: { language: 'en' } } });
    expect(await find(index, 'Haus')).toEqual([]);
    expect(await find(index, 'house')).toEqual(['en']);
  });

  it('forgets words of a document that goes, and is built anew when its languages change', async () => {
    const blobs = createMemoryBlobStore();
    const first = await openSearchIndex({ indices: [{ ...SETTINGS, languages: ['en'] }], blobs });
    await first.apply(TEXTS.map((document) => ({ type: 'put', index: 'texts', document })));
    await first.flush();
    const second = await openSearchIndex({ indices: [SETTINGS], blobs });
    await second.settle();
    expect(await find(second, 'Haus')).toEqual(['de']);
    await second.apply([{ type: 'delete', index: 'texts', id: 'de' }]);
    expect(await find(second, 'Haus')).toEqual([]);
  });

  it.each<[settings: object, message: string]>([
    [{ languages: ['en', 'xx'] }, 'language must be one of en, da'],
    [{ languages: [] }, 'languages of index texts must be 1 to 8 codes; got 0'],
    [{ languages: 'de' }, 'languages of index texts must be a list of codes; got a text'],
    [{ languageField: 7 }, 'languageField of index texts must be a text; got 7'],
  ])('refuses %j', async (settings, message) => {
    await expect(open([], settings)).rejects.toMatchObject({
      code: 'ERR_CONFIGURATION',
      message: expect.stringContaining(message),
    });
  });
});
