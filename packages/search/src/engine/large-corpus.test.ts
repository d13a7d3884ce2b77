import { describe, expect, it } from 'vitest';
import type { DocumentChange, SearchDocument, SearchRequest } from '../port/search-index.ts';
import { Random } from '../testing/random.ts';
import { VIEWERS } from '../testing/random-corpus.ts';
import { ReferenceIndex } from '../testing/reference-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const LONG = process.env['CAIRN_LONG'] === '1';
const WORDS = ['bo', 'ka', 'lu', 'mi', 'ne', 'po', 'ra', 'su'];
const LABELS = ['*', 'c=O', 'c=S', 'o=A', 'c=S&o=B'];

/** Few words and many documents, so that postings fill many blocks and scores tie. */
function makeDocument(random: Random, id: number): SearchDocument {
  const words = (most: number): string =>
    random.list(0, most, () => WORDS[Math.floor(random.next() ** 2 * 8)]).join(' ');
  const notes = [words(3), words(4)];
  return {
    uri: `d${id}`,
    primaryName: words(2),
    body: words(random.chance(0.05) ? 60 : 10),
    notes,
    year: 1990 + random.below(40),
    kind: random.pick(['a', 'b', 'c']),
    securityLabels: { defaults: random.pick(LABELS), notes: notes.map(() => random.pick(LABELS)) },
  };
}

function makeRequest(random: Random): SearchRequest {
  const word = (): string => random.pick(WORDS);
  const query = random.pick([
    () => word(),
    () => `body:${word()}`,
    () => `${word()} ${word()} ${word()}`,
    () => `${word()}^0 ${word()}^3`,
    () => Array.from({ length: 10 }, word).join(' '),
    () => `${word()} AND ${word()}`,
    () => `${word()} AND ${word()} AND ${word()}`,
    () => `"${word()} ${word()}"`,
    () => `"${word()} ${word()}"~2`,
    () => `${word()} -${word()} +${word()}`,
    () => `${word()[0]}*`,
    () => `${word()}~1`,
  ])();
  const range = { start: '2000', end: '2010', fields: ['year'] };
  return {
    query,
    limit: random.pick([1, 3, 10]),
    offset: random.pick([1, 1, 5]),
    ...(random.chance(0.3) ? { range } : {}),
  };
}

describe('search over many blocks of postings', () => {
  it('skips blocks without changing an answer', async () => {
    const random = new Random(11);
    const index = await openSearchIndex({ indices: ['search'] });
    const reference = new ReferenceIndex();
    const put = (id: number): DocumentChange => ({ type: 'put', index: 'search', document: makeDocument(random, id) });
    for (const count of LONG ? [1500, 300, 40] : [600, 200, 40]) {
      const batch = Array.from({ length: count }, () => put(random.below(LONG ? 2500 : 900)));
      await index.apply(batch);
      reference.apply(batch);
      for (let i = 0; i < (LONG ? 2000 : 24); i++) {
        if (i === 20) await index.compact();
        const viewer = random.pick(VIEWERS);
        const request = makeRequest(random);
        const { results, maybeMore } = await index.search(viewer, request);
        const found = { results: results.map(({ id, score }) => ({ id, score })), maybeMore };
        expect(found, JSON.stringify(request)).toEqual(reference.search(viewer, request));
      }
    }
  }, 3_600_000);
});
