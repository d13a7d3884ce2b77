import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type { Fuzziness, SearchDocument, SearchRequest } from '../port/search-index.ts';

const EVERYTHING = createViewerOfEverything();

async function openWith(documents: Readonly<Record<string, Omit<SearchDocument, 'uri'>>>) {
  const index = await openSearchIndex({ indices: ['search'] });
  const puts = Object.entries(documents).map(([uri, document]) => {
    return { type: 'put' as const, index: 'search', document: { uri, ...document } };
  });
  await index.apply(puts);
  return index;
}

const FILLER = 'some other words that make it long '.repeat(40);
const DOCUMENTS = {
  exact: { body: `${FILLER}thermostat` },
  near: { body: 'thermostot thermostot thermostot' },
  far: { body: 'thermistot thermistot' },
  other: { body: 'hermostat' },
};

async function found(request: SearchRequest): Promise<string[]> {
  const index = await openWith(DOCUMENTS);
  const { results } = await index.search(EVERYTHING, request);
  await index.close();
  return results.map(({ id }) => id);
}

describe('fuzziness of a search', () => {
  it('finds words with letters wrong, the word itself first however long its text is', async () => {
    expect(await found({ query: 'thermostat' })).toEqual(['exact']);
    expect(await found({ query: 'thermostat', fuzziness: 'auto' })).toEqual(['exact', 'near', 'far']);
    expect(await found({ query: 'thermostat', fuzziness: 1 })).toEqual(['exact', 'near']);
    expect(await found({ query: 'thermostat', fuzziness: 0 })).toEqual(['exact']);
    expect(await found({ query: 'body:thermostat', type: 'query', fuzziness: 2 })).toEqual(['exact', 'near', 'far']);
    expect(await found({ query: 'thermostat', type: 'term', fuzziness: 1 })).toEqual(['exact', 'near']);
  });

  it('counts neighbours that are swapped once, and keeps the first letter', async () => {
    expect(await found({ query: 'htermostat', fuzziness: 1 })).toEqual(['other']);
    expect(await found({ query: 'thremostat', fuzziness: 1 })).toEqual(['exact']);
    expect(await found({ query: 'rhermostat', fuzziness: 2 })).toEqual([]);
  });

  it.each<[word: string, fuzziness: Fuzziness, documents: readonly string[]]>([
    ['ab', 'auto', []],
    ['abx', 'auto', []],
    ['abcx', 'auto', ['3', '4']],
    ['abcdefx', 'auto', ['7']],
    ['abcdexx', 'auto', []],
    ['abcdefxx', 'auto', ['7', '8']],
    ['abx', 1, ['3']],
  ])('goes by the length of the word: %s, %s', async (query, fuzziness, documents) => {
    const words = { '3': 'abc', '4': 'abcd', '7': 'abcdefg', '8': 'abcdefgh' };
    const index = await openWith(Object.fromEntries(Object.entries(words).map(([id, body]) => [id, { body }])));
    const { results } = await index.search(EVERYTHING, { query: `(${query})`, fuzziness });
    expect(results.map(({ id }) => id)).toEqual(documents);
    await index.close();
  });

  it('excludes nothing that is only near, and leaves phrases and patterns as they are', async () => {
    expect(await found({ query: '*:* -thermostat', fuzziness: 2 })).toEqual(['far', 'near', 'other']);
    expect(await found({ query: '"long thermostat"', fuzziness: 2 })).toEqual(['exact']);
    expect(await found({ query: 'thermostat', type: 'phrase', fuzziness: 2 })).toEqual(['exact']);
    expect(await found({ query: 'thermosta?', fuzziness: 2 })).toEqual(['exact']);
  });

  it('marks and explains what it found', async () => {
    const index = await openWith(DOCUMENTS);
    const request: SearchRequest = { query: 'thermostat', fuzziness: 1, highlight: true };
    const { results } = await index.search(EVERYTHING, request);
    expect(results[1]?.highlighted?.['body']).toMatch(/^<em>thermostot<.em>/);
    for (const { id, score } of results) {
      const explanation = await index.explain(EVERYTHING, { ...request, id });
      const [weight, floor, share] = explanation?.details ?? [];
      expect(explanation?.value).toBe(score);
      expect((weight?.value ?? 0) * ((floor?.value ?? 0) + (share?.value ?? 0))).toBe(score);
    }
    await index.close();
  });

  it('knows no word that is hidden', async () => {
    const securityLabels = { defaults: '!' };
    const index = await openWith({ a: { body: 'thermostot', securityLabels }, b: DOCUMENTS.exact });
    const request: SearchRequest = { query: 'thermostxt', fuzziness: 2 };
    expect((await index.search(createViewer({ attributes: {} }), request)).results).toEqual([]);
    await index.close();
  });

  it.each([3, -1, 'AUTO', null, true])('is refused when it is none: %s', async (fuzziness) => {
    const request = { query: 'a', fuzziness: fuzziness as never };
    const index = await openWith({});
    const refused = { code: 'ERR_REQUEST', message: expect.stringContaining('fuzziness must be auto, 0, 1 or 2') };
    await expect(index.search(EVERYTHING, request)).rejects.toMatchObject(refused);
    await expect(index.typeahead(EVERYTHING, request)).rejects.toMatchObject(refused);
    await index.close();
  });
});

describe('a search as one types', () => {
  const WORDS = {
    whole: { body: `${FILLER}thermos lamp` },
    begun: { body: 'lamp thermosphere thermosphere' },
    near: { body: 'thermol lamp thermol' },
    half: { body: 'thermos thermos' },
  };
  const type = 'as-you-type';

  it('finds all words, the last as typed, as the beginning of one, and with letters wrong, in this order', async () => {
    const index = await openWith(WORDS);
    const ids = async (query: string, request: Partial<SearchRequest> = {}): Promise<string[]> => {
      return (await index.search(EVERYTHING, { query, type, ...request })).results.map(({ id }) => id);
    };
    expect(await ids('lamp thermos')).toEqual(['whole', 'begun', 'near']);
    expect(await ids('LAMP thermosph')).toEqual(['begun']);
    expect(await ids('lmap thermosx')).toEqual(['near', 'whole']);
    expect(await ids('lamp thermos', { fuzziness: 0 })).toEqual(['whole', 'begun']);
    expect(await ids('thermos lamp nothing')).toEqual([]);
    expect(await ids('lamp th')).toHaveLength(3);
    expect(await ids('lamp the')).toHaveLength(3);
    expect(await ids('lamp of')).toHaveLength(3);
    expect(await ids('  ')).toEqual([]);
    expect(await ids('+lamp (thermosph')).toEqual(['begun']);
    await index.close();
  });

  it('says how it read the query, marks and counts', async () => {
    const index = await openWith(WORDS);
    const request: SearchRequest = { query: 'lamp thermosp', type, fuzziness: 0, total: true, snippets: true };
    const answer = await index.search(EVERYTHING, request);
    expect(answer).toMatchObject({ type, total: { value: 1 } });
    const text = '<em>lamp</em> <em>thermosphere</em> <em>thermosphere</em>';
    expect(answer.results[0]?.snippets).toEqual({ body: [text] });
    await index.close();
  });
});

describe('fuzziness of typeahead', () => {
  it('suggests the words as typed, then what begins so, then what is near', async () => {
    const names = { a: 'harbir wall', b: 'harbours of old', c: `harbour ${FILLER}`, d: 'farbour' };
    const index = await openWith(
      Object.fromEntries(Object.entries(names).map(([id, name]) => [id, { primaryName: name }])),
    );
    const suggested = async (query: string, fuzziness: Fuzziness): Promise<string[]> => {
      return (await index.typeahead(EVERYTHING, { query, fuzziness })).results.map(({ id }) => id);
    };
    expect(await suggested('harbour', 2)).toEqual(['c', 'b', 'a']);
    expect(await suggested('harbour', 'auto')).toEqual(['c', 'b']);
    expect(await suggested('harbuor', 'auto')).toEqual(['c']);
    expect(await suggested('odl harb', 'auto')).toEqual([]);
    expect(await suggested('old harb', 1)).toEqual(['b']);
    expect(await suggested('wlal harbix', 'auto')).toEqual(['a']);
    expect(await suggested('harbour', 0)).toEqual(['b', 'c']);
    await index.close();
  });
});
