import { createViewer, createViewerOfEverything, type Viewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { SearchDocument, SearchIndex, SearchRequest } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const EVERYTHING = createViewerOfEverything();

async function openWith(texts: readonly (string | Omit<SearchDocument, 'uri'>)[]): Promise<SearchIndex> {
  const index = await openSearchIndex({ indices: ['search'] });
  const puts = texts.map((text, i) => {
    const document = typeof text === 'string' ? { body: text } : text;
    return { type: 'put' as const, index: 'search', document: { uri: `d${i}`, ...document } };
  });
  await index.apply(puts);
  return index;
}

const TEXTS = ['The oxygen thermostats failed', 'Thermostats again', 'a harbour wall', 'a thermostet', 'landings'];

async function meant(
  query: string,
  request: Partial<SearchRequest> = {},
  texts: Parameters<typeof openWith>[0] = TEXTS,
  viewer: Viewer = EVERYTHING,
) {
  const index = await openWith(texts);
  const { didYouMean } = await index.search(viewer, { query, didYouMean: true, ...request });
  await index.close();
  return didYouMean;
}

describe('did you mean', () => {
  it('suggests words that visible documents have, by distance, then by how many have them', async () => {
    expect(await meant('oxygen thermostit')).toEqual({
      query: 'oxygen thermostats',
      words: [
        {
          word: 'thermostit',
          replacements: [
            { text: 'thermostats', count: 2 },
            { text: 'thermostet', count: 1 },
          ],
        },
      ],
    });
    expect((await meant('thermostxat'))?.words[0]?.replacements).toEqual([
      { text: 'thermostats', count: 2 },
      { text: 'thermostet', count: 1 },
    ]);
  });

  it('writes the whole query anew, and leaves all else of it as it is', async () => {
    const queries = {
      '+Harbuor -wlal body:thermostit^2 "oxigen  failed"~1': '+harbour -wlal body:thermostats^2 "oxygen  failed"~1',
      '(harbuor OR harbuor) harbuor* harbuor~ /harbuor/': '(harbour OR harbour) harbuor* harbuor~ /harbuor/',
    };
    for (const [query, rewritten] of Object.entries(queries)) expect((await meant(query))?.query).toBe(rewritten);
    expect((await meant('harbuor: wlal', { type: 'term' }))?.query).toBe('harbour: wall');
    expect((await meant('harbuor wall', { type: 'phrase' }))?.query).toBe('harbour wall');
    expect((await meant('harbuor wa', { type: 'as-you-type' }))?.query).toBe('harbour wa');
  });

  it('looks where the request looks', async () => {
    const texts = [
      { title: 'harbour', body: 'harbuor wall' },
      { title: 'a wall', body: 'harbuors' },
    ];
    expect((await meant('harbuor', { queryFields: ['title'] }, texts))?.query).toBe('harbour');
    expect(await meant('harbuor', { queryFields: ['body'] }, texts)).toBeUndefined();
    expect((await meant('body:harbuwr', { queryFields: ['title'] }, texts))?.query).toBe('body:harbuors');
  });

  it('suggests nothing for what is there, is short, or is near nothing', async () => {
    for (const query of ['harbour', 'xyz', 'zeppelin', '*:*', '-harbuor', '"d0"', 'the of', '']) {
      expect(await meant(query), query).toBeUndefined();
    }
    expect(await meant('harbuor', { didYouMean: false })).toBeUndefined();
  });

  it('suggests a word that has twenty times the documents', async () => {
    const river = (count: number) => Array.from({ length: count }, () => 'a river');
    expect(await meant('rivet', {}, ['a rivet', ...river(19)])).toBeUndefined();
    expect(await meant('rivet', {}, ['a rivet', ...river(20)])).toEqual({
      query: 'river',
      words: [{ word: 'rivet', replacements: [{ text: 'river', count: 20 }] }],
    });
  });

  it('takes a text that a document has as a whole value for right', async () => {
    expect(await meant('code:harbuor', {}, [{ code: 'harbuor' }, 'harbour'])).toBeUndefined();
  });

  it('knows no word that is hidden', async () => {
    const texts = [
      { body: 'thermostat', securityLabels: { defaults: '!' } },
      { body: 'wall', securityLabels: { defaults: '*' } },
    ];
    const viewer = createViewer({ attributes: {} });
    expect(await meant('thermostit', {}, texts, viewer)).toBeUndefined();
    expect((await meant('wlal', {}, texts, viewer))?.query).toBe('wall');
  });

  it('is refused when it is none', async () => {
    await expect(meant('a', { didYouMean: 5 as never })).rejects.toThrow('didYouMean must be a boolean; got 5');
  });
});
