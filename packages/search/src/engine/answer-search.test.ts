import { createViewerOfEverything, type JsonValue, type Viewer } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { toIndexedValue } from '../mapping/value.ts';
import type { SearchDocument, SearchIndex, SearchRequest, SearchResult } from '../port/search-index.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { Random } from '../testing/random.ts';
import { randomDocument, VIEWERS } from '../testing/random-corpus.ts';
import { openSearchIndex } from './open-search-index.ts';

const INDICES = ['search', 'other'];
const LONG = 'a text of more than sixty-four characters, so that it is among no exact values, number ';

let index: SearchIndex;
beforeAll(async () => {
  const random = new Random(4711);
  index = await openSearchIndex({ indices: INDICES });
  for (let batch = 0; batch < 12; batch++) {
    const changes = random.list(5, 9, () => {
      const document = { ...randomDocument(random), uri: `doc-${random.below(60)}` };
      if (random.chance(0.3)) Object.assign(document, { body: [LONG + random.below(9), 'short', 12] });
      return { type: 'put' as const, index: random.pick(INDICES), document };
    });
    await index.apply(changes);
  }
});

const mapping = compileIndexMapping('search');

function valuesAt(value: JsonValue, path: string, field: string): (string | number)[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => valuesAt(item, path, field));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, nested]) => {
      return valuesAt(nested as JsonValue, path === '' ? key : `${path}.${key}`, field);
    });
  }
  if (path !== field || value === null) return [];
  const { number, keyword, text } = toIndexedValue(value as string, mapping.field(path)) ?? {};
  return number !== undefined ? [number] : keyword === undefined && text === undefined ? [] : [String(value)];
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareByCodePoint(a, b);
  return typeof a === 'number' ? -1 : 1;
}

/** Orders whole results by one key, naively. */
function sorted(results: readonly SearchResult[], key: string, missing: 'first' | 'last'): SearchResult[] {
  const [isAscending, field] = [key.startsWith('<'), key.replace(/^[<>]/, '')];
  const keyOf = (result: SearchResult): string | number | undefined => {
    if (field === 'score') return result.score;
    const values = valuesAt(result.document, '', field).sort(compareValues);
    return isAscending ? values[0] : values.at(-1);
  };
  return [...results].sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)];
    if (x === undefined || y === undefined) {
      if (x !== y) return (x === undefined) === (missing === 'last') ? 1 : -1;
    } else {
      const order = isAscending ? compareValues(x, y) : compareValues(y, x);
      if (order !== 0) return order;
    }
    return compareByCodePoint(a.id, b.id);
  });
}

const viewers: readonly Viewer[] = [...VIEWERS, createViewerOfEverything()];
const ask = (viewer: Viewer, request: Partial<SearchRequest>) =>
  index.search(viewer, { query: '*:*', limit: 1000, indices: ['search'], ...request });

describe('sort', () => {
  const KEYS = [
    '<number',
    '>number',
    '<start',
    'start',
    '<primaryName',
    '>body',
    '<body',
    '<notes',
    'parts.title',
    '<score',
  ];

  it.each(KEYS)('orders by the least or greatest visible value: %s', async (sort) => {
    for (const viewer of viewers) {
      for (const missing of ['first', 'last'] as const) {
        const { results } = await ask(viewer, { query: 'moon* OR *:*', sort, missing });
        const { results: plain } = await ask(viewer, { query: 'moon* OR *:*' });
        expect(results.map(({ id }) => id)).toEqual(sorted(plain, sort, missing).map(({ id }) => id));
      }
    }
  });

  it('orders by several keys, each among what is equal by those before', async () => {
    const { results } = await ask(createViewerOfEverything(), { sort: '<types,>number' });
    const keys = results.map(({ document }) => [
      valuesAt(document, '', 'types').sort(compareValues)[0],
      valuesAt(document, '', 'number').sort(compareValues).at(-1),
    ]);
    for (let i = 1; i < keys.length; i++) {
      const [[type, number], [nextType, nextNumber]] = [keys[i - 1] ?? [], keys[i] ?? []];
      if (type !== nextType || number === undefined || nextNumber === undefined) continue;
      expect(compareValues(number, nextNumber)).toBeGreaterThanOrEqual(0);
    }
  });

  it('refuses what is no order', async () => {
    await expect(ask(createViewerOfEverything(), { sort: 5 as never })).rejects.toMatchObject({ code: 'ERR_REQUEST' });
    const keys = Array.from({ length: 9 }, (_, i) => `<f${i}`).join();
    await expect(ask(createViewerOfEverything(), { sort: keys })).rejects.toThrow('sort must be at most 8 keys; got 9');
    const missing = 'middle' as never;
    await expect(ask(createViewerOfEverything(), { missing })).rejects.toThrow('missing must be first or last');
  });
});

describe('after', () => {
  it.each([undefined, '<number', 'score', '<score', '<body,>start', '>primaryName'])(
    'goes through all results, page by page: sort %s',
    async (sort) => {
      for (const viewer of viewers) {
        for (const indices of [['search'], INDICES]) {
          const request = { query: 'moon* OR landing OR *:*', sort, indices };
          const whole = await ask(viewer, request);
          const paged: SearchResult[] = [];
          for (let after: string | undefined = '*'; after !== undefined; ) {
            const page = await ask(viewer, { ...request, after, limit: 7 });
            expect(page.next !== undefined).toBe(page.maybeMore);
            paged.push(...page.results);
            after = page.next;
          }
          expect(paged).toEqual(whole.results);
        }
      }
    },
  );

  it('refuses what no answer gave, and another order', async () => {
    const viewer = createViewerOfEverything();
    const { next } = await ask(viewer, { after: '*', limit: 2, sort: '<number,score' });
    const refused = { code: 'ERR_CURSOR' };
    for (const after of ['', 'x', '!', 'WzFd', btoa('[[1],"a","nowhere"]'), btoa('[["a"],"a","search"]'), next]) {
      await expect(ask(viewer, { after: after ?? '' }), after).rejects.toMatchObject(refused);
    }
    await expect(ask(viewer, { after: '*', offset: 2 })).rejects.toThrow('offset must be 1 with after; got 2');
  });
});

describe('total', () => {
  it('is exact up to its bound, and the bound beyond', async () => {
    for (const viewer of viewers) {
      for (const query of ['*:*', 'moon', 'moon landing', '"the moon"', 'moon AND NOT crew', 'mo*', 'nothingness']) {
        const { results } = await ask(viewer, { query });
        for (const total of [true, 1, 5, 1_000_000]) {
          const answer = await ask(viewer, { query, total, limit: 1 });
          const most = total === true ? 10_000 : total;
          const isExact = results.length <= (most as number);
          expect(answer.total).toEqual({ value: isExact ? results.length : most, relation: isExact ? 'eq' : 'gte' });
        }
      }
    }
  });

  it('is left out unless asked for, and refused out of bounds', async () => {
    const viewer = createViewerOfEverything();
    expect(Object.keys(await ask(viewer, {}))).toEqual(['maybeMore', 'limit', 'offset', 'query', 'type', 'results']);
    await expect(ask(viewer, { total: 0 })).rejects.toThrow('total must be 1 to 1000000; got 0');
  });
});

describe('fields', () => {
  const document: SearchDocument = {
    uri: 'a',
    title: 'kestrel',
    meta: { author: 'Ann', pages: [1, 2] },
    parts: [{ name: 'x', kind: 'k' }, { kind: 'k' }],
    securityLabels: { defaults: '*' },
  };
  const shown = async (request: Partial<SearchRequest>): Promise<unknown> => {
    const one = await openSearchIndex({ indices: ['search'] });
    await one.apply([{ type: 'put', index: 'search', document }]);
    const { results } = await one.search(createViewerOfEverything(), { query: 'kestrel', ...request });
    return results[0]?.document;
  };

  it('take the parts at paths and below them', async () => {
    expect(await shown({ fields: ['title', 'meta'] })).toEqual({ title: 'kestrel', meta: document['meta'] });
    expect(await shown({ fields: ['*.name', 'meta.pages'] })).toEqual({
      meta: { pages: [1, 2] },
      parts: [{ name: 'x' }],
    });
    expect(await shown({ fields: [] })).toEqual({});
  });

  it('leave out what is excluded, and what nothing is left of', async () => {
    expect(await shown({ excludeFields: ['parts.*', 'meta.author'] })).toEqual({
      uri: 'a',
      title: 'kestrel',
      meta: { pages: [1, 2] },
    });
    expect(await shown({ fields: ['meta'], excludeFields: ['meta.*'] })).toEqual({});
  });

  it('keep the labels beside what is shown', async () => {
    const showSecurityLabels = true;
    expect(await shown({ fields: ['title'], showSecurityLabels })).toEqual({
      title: 'kestrel',
      securityLabels: { defaults: '*' },
    });
  });

  it('are marked alone', async () => {
    const one = await openSearchIndex({ indices: ['search'] });
    await one.apply([{ type: 'put', index: 'search', document: { uri: 'b', title: 'kestrel', body: 'kestrel' } }]);
    const request = { query: 'kestrel', fields: ['body'], highlight: true };
    const { results } = await one.search(createViewerOfEverything(), request);
    expect(results[0]?.highlighted).toEqual({ body: '<em>kestrel</em>' });
  });
});
