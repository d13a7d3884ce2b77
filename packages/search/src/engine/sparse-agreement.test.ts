import { createViewer } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentChange } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: {} });
const DOCUMENTS = 3000;

/** How words are in a document: `left` and `right` take turns, so that they seldom stand together. */
function textOf(i: number, period: number, shift: number): string {
  const words = [i % 2 === 0 ? 'left' : 'right'];
  if ((i + shift) % period === 0) words.push('left right');
  if (i % 3 === 0) words.push('third');
  return words.join(' ');
}

/** Queries whose parts go on for long before they agree, and what they match. */
const QUERIES: Readonly<Record<string, (words: ReadonlySet<string>) => boolean>> = {
  '+left +right': (words) => words.has('left') && words.has('right'),
  '+(left none) +(right none)': (words) => words.has('left') && words.has('right'),
  '+(left none) +(right none) -third': (words) => words.has('left') && words.has('right') && !words.has('third'),
  'nothing (+(left none) +(right none))': (words) => words.has('left') && words.has('right'),
  '+third +(+(left none) +(right none))': (words) => words.has('left') && words.has('right') && words.has('third'),
  'left AND NOT (+(left none) +(right none))': (words) => words.has('left') && !words.has('right'),
};

async function findAll(texts: readonly string[], query: string): Promise<string[]> {
  const index = await openSearchIndex({ indices: ['search'], nowMs: () => 0 });
  const put = (text: string, i: number): DocumentChange => {
    return { type: 'put', index: 'search', document: { uri: `d${i}`, text, securityLabels: { defaults: '*' } } };
  };
  await index.apply(texts.map(put));
  const found: string[] = [];
  for (let offset = 1; offset <= texts.length; offset += 1000) {
    const { results } = await index.search(viewer, { query, offset, limit: 1000 });
    found.push(...results.map(({ id }) => id));
  }
  await index.close();
  return found.sort();
}

function idsWhere(texts: readonly string[], matches: (words: ReadonlySet<string>) => boolean): string[] {
  return texts.flatMap((text, i) => (matches(new Set(text.split(' '))) ? [`d${i}`] : [])).sort();
}

describe('parts of a query that seldom agree', () => {
  it.each(Object.entries(QUERIES))('find every document: %s', async (query, matches) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 40, max: 700 }), fc.nat(200), async (period, shift) => {
        const texts = Array.from({ length: DOCUMENTS }, (_, i) => textOf(i, period, shift));
        expect(await findAll(texts, query)).toEqual(idsWhere(texts, matches));
      }),
      { numRuns: 6 },
    );
  });
});

/** Sixty of two hundred words in each document: together far more postings than one window of them takes. */
const WIDE = Array.from({ length: DOCUMENTS }, (_, i) => {
  const words = new Set(Array.from({ length: 60 }, (_unused, j) => `t${(i * 7 + j * j * (1 + (i % 11))) % 200}`));
  return `${i % 2 === 0 ? 'left' : 'right'} ${[...words].join(' ')}`;
});
const EXCLUDED = Array.from({ length: 12 }, (_, i) => `t${i * 16}`);

describe('many lists that are gathered', () => {
  it.each<[query: string, matches: (words: ReadonlySet<string>) => boolean]>([
    [`left ${EXCLUDED.map((word) => `-${word}`).join(' ')}`, (words) => words.has('left') && !some(words)],
    [EXCLUDED.map((word) => `-${word}`).join(' '), (words) => !some(words)],
    ['+t1* -left', (words) => [...words].some((word) => word.startsWith('t1')) && !words.has('left')],
    ['t*', () => true],
    ['+right +t??? -t1?5', (words) => hasWide(words)],
  ])('find every document: %s', async (query, matches) => {
    expect(await findAll(WIDE, query)).toEqual(idsWhere(WIDE, matches));
  });
});

function some(words: ReadonlySet<string>): boolean {
  return EXCLUDED.some((word) => words.has(word));
}

function hasWide(words: ReadonlySet<string>): boolean {
  const list = [...words];
  return (
    words.has('right') &&
    list.some((word) => word.length === 4 && word !== 'left') &&
    !list.some((word) => /^t1.5$/.test(word))
  );
}
