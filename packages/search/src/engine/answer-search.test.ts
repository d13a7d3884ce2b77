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

describe('facets', () => {
  const FIELDS = ['number', 'start', 'types', 'notes', 'body', 'primaryName', 'parts.title', 'isState', 'nothing'];

  /** Counts whole results, naively: each document once for each of its values. */
  function counted(results: readonly SearchResult[], toValues: (result: SearchResult) => (string | number)[]) {
    const counts = new Map<string | number, number>();
    for (const result of results) {
      for (const value of new Set(toValues(result))) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].map(([value, count]) => ({ value, count }));
  }

  function leaves(value: JsonValue, path: string, field: string): JsonValue[] {
    if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leaves(item, path, field));
    if (typeof value !== 'object' || value === null) return path === field && value !== null ? [value] : [];
    return Object.entries(value).flatMap(([key, nested]) => {
      return leaves(nested as JsonValue, path === '' ? key : `${path}.${key}`, field);
    });
  }

  it.each(FIELDS)('count exactly, several at once, whatever is on the page: %s', async (field) => {
    for (const viewer of viewers) {
      for (const query of ['*:*', 'moon* OR landing']) {
        const facets = [{ field, limit: 1000 }, { field, limit: 3, order: 'value', prefix: 'm' } as const];
        const answer = await ask(viewer, { query, facets, limit: 1 });
        const { results } = await ask(viewer, { query });
        const all = counted(results, ({ document }) => leaves(document, '', field).map(String));
        const byValue = (a: { value: unknown }, b: { value: unknown }): number =>
          compareByCodePoint(String(a.value), String(b.value));
        const some = all.filter(({ value }) => String(value).startsWith('m')).sort(byValue);
        expect(answer.facets).toEqual([
          { field, maybeMore: false, values: all.sort((a, b) => b.count - a.count || byValue(a, b)) },
          { field, maybeMore: some.length > 3, values: some.slice(0, 3) },
        ]);
      }
    }
  });

  it('count numbers by width, and instants by the calendar', async () => {
    for (const viewer of viewers) {
      const facets = [{ field: 'number', interval: 5 }, ...CALENDAR.map((interval) => ({ field: 'start', interval }))];
      const answer = await ask(viewer, { facets, limit: 1 });
      const { results } = await ask(viewer, {});
      const numbers = counted(results, ({ document }) =>
        leaves(document, '', 'number').map((number) => Math.floor(Number(number) / 5) * 5),
      );
      expect(answer.facets?.[0]?.values).toEqual(numbers.sort((a, b) => Number(a.value) - Number(b.value)));
      const years = counted(results, ({ document }) =>
        leaves(document, '', 'start').map((date) => `${String(date).slice(0, 4)}-01-01T00:00:00.000Z`),
      );
      expect(answer.facets?.[1]?.values).toEqual(years.sort((a, b) => (a.value < b.value ? -1 : 1)));
    }
  });

  const CALENDAR = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const;

  it('begin parts of the calendar where they begin in UTC', async () => {
    const one = await openSearchIndex({ indices: ['search'] });
    await one.apply([{ type: 'put', index: 'search', document: { uri: 'a', at: '2024-08-22T17:45:10Z' } }]);
    const facets = CALENDAR.map((interval) => ({ field: 'at', interval }));
    const answer = await one.search(createViewerOfEverything(), { query: '*:*', facets });
    expect(answer.facets?.map(({ values }) => values[0]?.value)).toEqual([
      '2024-01-01T00:00:00.000Z',
      '2024-07-01T00:00:00.000Z',
      '2024-08-01T00:00:00.000Z',
      '2024-08-19T00:00:00.000Z',
      '2024-08-22T00:00:00.000Z',
      '2024-08-22T17:00:00.000Z',
    ]);
  });

  it('count by ranges, each in the order asked for', async () => {
    const ranges = [{ to: 2 }, { from: 2, to: 2020 }, { from: '2020' }, {}, { from: 1, to: 11 }];
    const dates = [{ from: '2020-01', to: '2021' }, { to: '2020-01-01' }];
    for (const viewer of viewers) {
      const facets = [
        { field: 'number', ranges },
        { field: 'start', ranges: dates },
      ];
      const answer = await ask(viewer, { facets });
      const numbers = answer.results.map(({ document }) => leaves(document, '', 'number').map(Number));
      const inRange = (first: number, end: number): number =>
        numbers.filter((all) => all.some((number) => number >= first && number < end)).length;
      expect(answer.facets?.[0]?.values).toEqual([
        { value: '..2', count: inRange(Number.NEGATIVE_INFINITY, 2) },
        { value: '2..2020', count: inRange(2, 2020) },
        { value: '2020..', count: inRange(2020, Number.POSITIVE_INFINITY) },
        { value: '..', count: inRange(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY) },
        { value: '1..11', count: inRange(1, 11) },
      ]);
      const starts = answer.results.map(({ document }) => leaves(document, '', 'start').map(String));
      const count = (test: (date: string) => boolean): number => starts.filter((all) => all.some(test)).length;
      expect(answer.facets?.[1]?.values).toEqual([
        { value: '2020-01..2021', count: count((date) => date.startsWith('2020')) },
        { value: '..2020-01-01', count: count((date) => date < '2020') },
      ]);
    }
  });

  it.each([
    [5, 'facets must be a list'],
    [[5], 'each of facets must be an object'],
    [[{}], 'the field of a facet must be a text'],
    [[{ field: 'a', limit: 0 }], 'the limit of a facet must be 1 to 1000; got 0'],
    [[{ field: 'a', order: 'x' }], 'the order of a facet must be count or value'],
    [[{ field: 'a', interval: 0 }], 'the interval of a facet must be a number above 0, or year, quarter'],
    [[{ field: 'a', interval: 'toString' }], 'the interval of a facet must be a number above 0'],
    [[{ field: 'a', ranges: [{ from: 'x' }] }], 'each of ranges must be from a number to a number'],
    [
      [{ field: 'a', ranges: [{ from: 1, to: '2020-01-01' }] }],
      'each of ranges must be from a number to a number, or a date to a date',
    ],
    [Array(17).fill({ field: 'a' }), 'facets must be at most 16; got 17'],
  ])('are refused when they are none: %j', async (facets, message) => {
    const request = { facets: facets as never };
    await expect(ask(createViewerOfEverything(), request)).rejects.toThrow(message);
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

/** The first result of each value and how many have it, naively. */
function collapsed(results: readonly SearchResult[], path: string, bound: number): SearchResult[] {
  const groups = new Map<string, SearchResult[]>();
  for (const result of results) {
    const value = exactValuesAt(result.document, '', path).sort(compareByCodePoint)[0];
    const key = value === undefined ? `none ${result.id}` : `value ${value}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return Array.from(groups, ([key, [first, ...others]]): SearchResult => {
    if (first === undefined || !key.startsWith('value ')) return first as SearchResult;
    const all = others.length + 1;
    const count = all > bound ? { value: bound, relation: 'gte' as const } : { value: all, relation: 'eq' as const };
    return { ...first, collapsed: { value: key.slice('value '.length), count } };
  });
}

function exactValuesAt(value: JsonValue, path: string, field: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => exactValuesAt(item, path, field));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, nested]) => {
      return exactValuesAt(nested as JsonValue, path === '' ? key : `${path}.${key}`, field);
    });
  }
  return path === field && value !== null ? [String(value)] : [];
}

describe('collapse', () => {
  const FIELDS = ['types', 'number', 'start', 'primaryName', 'parts/title', 'body', 'nothing'];

  it.each(FIELDS)('gives the first match of each visible value, and how many have it: %s', async (field) => {
    for (const viewer of viewers) {
      for (const sort of [undefined, '<number', '>start,<score']) {
        const request = { query: 'moon* OR landing OR *:*', sort };
        const { results: plain } = await ask(viewer, request);
        const { results, maybeMore } = await ask(viewer, { ...request, collapse: { field, bound: 3 } });
        expect(results).toEqual(collapsed(plain, field.replace('/', '.'), 3));
        expect(maybeMore).toBe(false);
      }
    }
  });

  it.each([undefined, '<number', '<types,>start'])('pages through them by offset and by cursor: %s', async (sort) => {
    const viewer = createViewerOfEverything();
    const request = { query: 'moon* OR *:*', sort, collapse: { field: 'types' }, indices: INDICES };
    const { results: whole } = await ask(viewer, request);
    expect(whole.length).toBeGreaterThan(4);
    const paged: SearchResult[] = [];
    for (let after: string | undefined = '*'; after !== undefined; ) {
      const { results, next, maybeMore } = await ask(viewer, { ...request, after, limit: 2 });
      expect(maybeMore).toBe(next !== undefined);
      paged.push(...results);
      after = next;
    }
    expect(paged).toEqual(whole);
    expect((await ask(viewer, { ...request, offset: 3, limit: 2 })).results).toEqual(whole.slice(2, 4));
  });

  it('counts every match in totals and facets', async () => {
    const viewer = createViewerOfEverything();
    const counted = { total: true, facets: [{ field: 'types' }] };
    const plain = await ask(viewer, counted);
    const { total, facets } = await ask(viewer, { ...counted, collapse: { field: 'types' } });
    expect({ total, facets }).toEqual({ total: plain.total, facets: plain.facets });
  });

  it('refuses what is no field or no bound', async () => {
    const viewer = createViewerOfEverything();
    await expect(ask(viewer, { collapse: 'types' as never })).rejects.toThrow('collapse must be an object; got a text');
    await expect(ask(viewer, { collapse: { field: 5 as never } })).rejects.toThrow('collapse.field must be a text');
    const bound = 1_000_001;
    await expect(ask(viewer, { collapse: { field: 'types', bound } })).rejects.toThrow(
      'collapse.bound must be 1 to 1000000; got 1000001',
    );
  });
});
