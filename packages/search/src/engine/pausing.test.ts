import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { DocumentChange, SearchRequest } from '../port/search-index.ts';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: {} });

/** Two words of its own for each document, and one that all have. */
function put(i: number): DocumentChange {
  const uri = `d${String(i).padStart(5, '0')}`;
  const text = `w${i}a w${i}b common`;
  return { type: 'put', index: 'search', document: { uri, text, year: i % 50, securityLabels: { defaults: '*' } } };
}

/** An index whose clock goes on by a millisecond with each look. */
async function open(count: number, pause: () => Promise<void>): Promise<SearchEngine> {
  let time = 0;
  const index = await openSearchIndex({ indices: ['search'], nowMs: () => time++, nextTurn: pause });
  await index.apply(Array.from({ length: count }, (_, i) => put(i)));
  await index.compact();
  return index;
}

const LONG_WORK: Readonly<Record<string, SearchRequest>> = {
  'a leading wildcard': { query: '*7a' },
  'a regular expression': { query: '/w[0-9]*7b/' },
  'a range of text': { query: 'text:[w1 TO w5]' },
  'a range beside a word': { query: 'common', range: { start: 'w1', end: 'w5', fields: ['text'] } },
};

describe('a search that takes long', () => {
  it('lets others run by the turn of its request, where that has one', async () => {
    const pauses = { own: 0, index: 0 };
    const index = await open(4000, async () => {
      pauses.index++;
    });
    pauses.index = 0;
    const nextTurn = async (): Promise<void> => {
      pauses.own++;
    };
    for (const request of Object.values(LONG_WORK)) await index.search(viewer, { ...request, nextTurn });
    expect(pauses.index).toBe(0);
    expect(pauses.own).toBeGreaterThan(10);
    await expect(index.search(viewer, { query: 'a', nextTurn: 5 as never })).rejects.toMatchObject({
      code: 'ERR_REQUEST',
      message: expect.stringContaining('nextTurn'),
    });
    await index.close();
  });

  it.each(Object.entries(LONG_WORK))('lets others run: %s', async (_, request) => {
    let pauses = 0;
    const index = await open(4000, async () => {
      pauses++;
    });
    pauses = 0;
    const { results } = await index.search(viewer, request);
    expect(results.length).toBeGreaterThan(0);
    expect(pauses).toBeGreaterThan(3);
  });

  it('answers from one moment when the index changes while it is planned', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const index = await open(2000, async () => {
      const change = meanwhile;
      meanwhile = undefined;
      await change?.();
    });
    meanwhile = () => {
      return index.apply([
        { type: 'delete', index: 'search', id: 'd00007' },
        { type: 'put', index: 'search', document: { uri: 'e', text: 'w7a w7a', securityLabels: { defaults: '*' } } },
      ]);
    };
    const during = await index.search(viewer, { query: '*7a', limit: 300 });
    expect(meanwhile).toBeUndefined();
    expect(during).toEqual(await index.search(viewer, { query: '*7a', limit: 300 }));
    expect(during.results.some(({ id }) => id === 'd00007')).toBe(false);
    expect(during.results.some(({ id }) => id === 'e')).toBe(true);
  });
});

describe('a search that is planned anew because the index changes', () => {
  it.each<[what: string, request: SearchRequest]>([
    ['terms', { query: '*7a', budget: { maxExpandedTerms: 400, timeLimitMs: 1e9 } }],
    [
      'postings',
      { query: list(1000, (i) => `common^${1 + (i % 3)}`), budget: { maxPostings: 2_100_000, timeLimitMs: 1e9 } },
    ],
  ])('spends its budget of %s once', async (_, request) => {
    let left = 0;
    let changes = 0;
    const index = await open(2000, async () => {
      if (left === 0) return;
      // A change pauses as well, and must not wait for another.
      const rest = left;
      left = 0;
      await index.apply([put(10_000 + changes++)]);
      left = rest - 1;
    });
    left = 4;
    expect((await index.search(viewer, request)).results.length).toBeGreaterThan(0);
    expect(changes).toBeGreaterThan(2);
  });
});

function list(count: number, piece: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => piece(i)).join(' ');
}

/** Queries over 4,000 documents. Without turns none of them would pause more than eight times, most of them never. */
const WIDE: Readonly<Record<string, SearchRequest>> = {
  'words of fields by pattern': { query: list(1000, (i) => `*e${'x'.repeat(i % 9)}*:common te*t:common`) },
  'excluded words beside one': { query: `common ${list(3500, (i) => `-w${i}a`)}` },
  'excluded words alone': { query: list(3500, (i) => `-w${i}a`) },
  'one required word many times': { query: list(3500, () => '+common') },
  'words with boosts': { query: list(3000, (i) => `common^${1 + (i % 5)}`) },
  'phrases that never match': { query: list(1000, (i) => `"common w${i}a"`) },
  groups: { query: list(900, (i) => `(+common w${i}a)`) },
  'groups that match nothing': { query: list(900, (i) => `(+common w${i}a -common)`) },
};

describe('a search whose clauses meet every document', () => {
  it.each(Object.entries(WIDE))('lets others run all the time: %s', async (_, request) => {
    const changes = Array.from({ length: 4000 }, (_, i) => put(i));
    const pauses = await countPauses(changes, (index) => {
      return index.search(viewer, { ...request, budget: { timeLimitMs: 1e9 } });
    });
    expect(pauses).toBeGreaterThan(30);
  });

  it('lets others run in a phrase that never matches', async () => {
    const changes = Array.from({ length: 12_000 }, (_, i) => put(i));
    const query = '"common common"~2 common';
    const pauses = await countPauses(changes, (index) => index.search(viewer, { query, budget: { timeLimitMs: 1e9 } }));
    expect(pauses).toBeGreaterThan(8);
  });
});

/** How many pauses some work takes on an index whose clock goes on by two milliseconds with each look: there is one a step. */
async function countPauses(
  changes: readonly DocumentChange[],
  work: (index: SearchEngine) => Promise<unknown>,
): Promise<number> {
  let time = 0;
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  const index = await openSearchIndex({ indices: ['search'], nowMs: () => (time += 2), nextTurn: pause });
  await index.apply(changes);
  await index.compact();
  pauses = 0;
  await work(index);
  return pauses;
}

const WORDS = 240_000;
const LONG_TEXT = 'left right '.repeat(WORDS / 2);

function putText(uri: string, text: string): DocumentChange {
  return { type: 'put', index: 'search', document: { uri, text, securityLabels: { defaults: '*' } } };
}

describe('work on large documents', () => {
  it('lets others run while one long text is read, and read again when it goes', async () => {
    const others = Array.from({ length: 600 }, (_, i) => putText(`d${i}`, 'left'));
    const short = await countPauses(others, (index) => index.apply([putText('long', 'left right')]));
    const added = await countPauses(others, (index) => index.apply([putText('long', LONG_TEXT)]));
    expect(added - short).toBeGreaterThan(WORDS / 2048 / 5);
    const removed = await countPauses([...others, putText('long', LONG_TEXT)], (index) => {
      return index.apply([{ type: 'delete', index: 'search', id: 'long' }]);
    });
    expect(removed).toBeGreaterThan(WORDS / 2048 / 5);
  });

  it('lets others run while the matches of one long text are marked', async () => {
    const request = { query: 'left "right left"', excludeFields: ['text'] };
    const change = putText('long', LONG_TEXT);
    const plain = await countPauses([change], (index) => index.search(viewer, request));
    const marked = await countPauses([change], (index) => index.search(viewer, { ...request, snippets: true }));
    expect(marked - plain).toBeGreaterThan(WORDS / 2048 / 5);
    const copied = await countPauses([change], (index) => index.search(viewer, { query: 'left', highlight: true }));
    expect(copied - plain).toBeGreaterThan(WORDS / 2048 / 5);
  });

  it('lets others run between the documents of a page, of a list and of a facet', async () => {
    const changes = Array.from({ length: 400 }, (_, i): DocumentChange => {
      const tags = ['x', `y${'z'.repeat(9000)}`];
      const document = { uri: `d${i}`, word: 'same', tags, securityLabels: { defaults: '*' } };
      return { type: 'put', index: 'search', document };
    });
    const query = 'word:same';
    const one = await countPauses(changes, (index) => index.search(viewer, { query, limit: 1 }));
    const page = await countPauses(changes, (index) => index.search(viewer, { query, limit: 400 }));
    expect(page - one).toBeGreaterThan(50);
    const ids = Array.from({ length: 400 }, (_, i) => `d${i}`);
    expect(await countPauses(changes, (index) => index.getDocuments(viewer, ids))).toBeGreaterThan(50);
    const facet = await countPauses(changes, (index) => index.facets(viewer, { query, facet: 'tags' }));
    expect(facet - one).toBeGreaterThan(50);
  });
});
