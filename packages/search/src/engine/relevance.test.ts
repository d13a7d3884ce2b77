import { createViewer, createViewerOfEverything, type JsonObject, type Viewer } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IndexSettings } from '../mapping/configuration.ts';
import type { ScoreBoost, SearchDocument, SearchIndex, SearchRequest } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const EVERYTHING = createViewerOfEverything();
const NOBODY = createViewer({ attributes: {} });
const DAY_MS = 86_400_000;

/** Equal texts, so that their scores are. */
const DOCUMENTS: readonly SearchDocument[] = [
  { uri: 'a', text: 'harbour wall', loans: 3, start: '2020-01-01', ...everyone() },
  { uri: 'b', text: 'harbour wall', loans: [1, 99], start: '2021-01-01', ...everyone({ loans: ['*', 'c=S'] }) },
  { uri: 'c', text: 'harbour wall', ...everyone() },
  { uri: 'd', text: 'harbour wall', loans: -5, start: '2022-01-01', ...everyone() },
  { uri: 'e', primaryName: 'harbour', ...everyone() },
];

function everyone(others: JsonObject = {}): { readonly securityLabels: JsonObject } {
  return { securityLabels: { defaults: '*', ...others } };
}

async function open(settings: Partial<IndexSettings> = {}): Promise<SearchIndex> {
  const index = await openSearchIndex({ indices: [{ name: 'search', ...settings }] });
  await index.apply(DOCUMENTS.map((document) => ({ type: 'put', index: 'search', document })));
  return index;
}

let index: SearchIndex;
beforeAll(async () => {
  index = await open();
});

/** By what the score of each document is multiplied. */
async function factors(boosts: readonly ScoreBoost[], viewer: Viewer = EVERYTHING, nowMs?: number) {
  const { results: plain } = await index.search(viewer, { query: 'wall' });
  const { results } = await index.search(viewer, { query: 'wall', boosts, nowMs });
  const before = new Map(plain.map(({ id, score }) => [id, score]));
  return Object.fromEntries(
    results.map(({ id, score }) => [id, Math.round((score / (before.get(id) ?? 0)) * 1000) / 1000]),
  );
}

describe('boosts', () => {
  it.each<[ScoreBoost, object]>([
    [
      { type: 'value', field: 'loans', curve: 'linear' },
      { b: 100, a: 4, c: 1, d: 1 },
    ],
    [
      { type: 'value', field: 'loans', curve: 'linear', factor: 2, weight: 0.5 },
      { b: 100, a: 4, c: 1, d: 1 },
    ],
    [
      { type: 'value', field: 'loans', curve: 'log1p' },
      { b: 5.605, a: 2.386, c: 1, d: 1 },
    ],
    [
      { type: 'value', field: 'loans', curve: 'reciprocal' },
      { d: 2, b: 1.5, a: 1.25, c: 1 },
    ],
    [
      { type: 'decay', field: 'loans', curve: 'linear', origin: 1, scale: 2 },
      { b: 2, a: 1.5, c: 1, d: 1 },
    ],
    [
      { type: 'decay', field: 'start', curve: 'exp', origin: '2021', scale: '366d' },
      { b: 2, a: 1.5, d: 1.501, c: 1 },
    ],
    [
      { type: 'decay', field: 'start', curve: 'gauss', origin: '2022', scale: '365d', weight: 4 },
      { d: 5, b: 3, a: 1.248, c: 1 },
    ],
    [
      { type: 'decay', field: 'start', curve: 'exp', origin: '2021', scale: '1d', offset: '365d' },
      { b: 2, d: 2, a: 1.5, c: 1 },
    ],
    [
      { type: 'value', field: 'start', curve: 'linear' },
      { a: 1, b: 1, c: 1, d: 1 },
    ],
    [
      { type: 'decay', field: 'start', curve: 'exp', origin: 5, scale: 1 },
      { a: 1, b: 1, c: 1, d: 1 },
    ],
  ])('multiplies scores by %j', async (boost, expected) => {
    expect(await factors([boost])).toEqual(expected);
  });

  it('takes the moment of now from the request', async () => {
    const boost = { type: 'decay', field: 'start', curve: 'exp', origin: 'now', scale: '1d' } as const;
    const nowMs = Date.UTC(2022, 0, 2);
    expect(await factors([boost], EVERYTHING, nowMs)).toEqual({ d: 1.5, a: 1, b: 1, c: 1 });
    expect((await factors([boost], EVERYTHING, nowMs - DAY_MS))['d']).toBe(2);
    const message = 'nowMs must be given where a boost begins at now; got undefined';
    await expect(factors([boost])).rejects.toMatchObject({ code: 'ERR_BOOST', message });
  });

  it('looks at visible values alone, orders and pages by the raised scores', async () => {
    const boosts: ScoreBoost[] = [{ type: 'value', field: 'loans', curve: 'linear' }];
    expect(await factors(boosts, NOBODY)).toEqual({ a: 4, b: 2, c: 1, d: 1 });
    const request: SearchRequest = { query: 'wall', boosts, limit: 2, total: true };
    const { next, total, results } = await index.search(EVERYTHING, { ...request, after: '*' });
    const rest = await index.search(EVERYTHING, { ...request, after: next });
    expect([...results, ...rest.results].map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
    expect(total).toEqual({ value: 4, relation: 'eq' });
    const { results: sorted } = await index.search(EVERYTHING, { query: 'wall', boosts, sort: '<score' });
    expect(sorted.map(({ id }) => id)).toEqual(['c', 'd', 'a', 'b']);
  });

  it('keeps scores finite, and marks matches as without', async () => {
    const boosts = Array.from({ length: 8 }, (): ScoreBoost => {
      return { type: 'value', field: 'loans', curve: 'linear', factor: 1_000_000, weight: 1_000_000 };
    });
    const { results } = await index.search(EVERYTHING, { query: 'wall', boosts, highlight: true });
    expect(results.every(({ score }) => Number.isFinite(score))).toBe(true);
    expect(results[0]?.highlighted?.['text']).toBe('harbour <em>wall</em>');
  });

  it('is told in explanations, whose parts make the score', async () => {
    const boosts: ScoreBoost[] = [
      { type: 'value', field: 'loans', curve: 'log1p', weight: 2 },
      { type: 'decay', field: 'nothing', curve: 'exp', origin: 0, scale: 1 },
    ];
    const { results } = await index.search(EVERYTHING, { query: 'wall', boosts });
    const explanation = await index.explain(EVERYTHING, { query: 'wall', boosts, id: 'b' });
    expect(explanation?.value).toBe(results.find(({ id }) => id === 'b')?.score);
    expect(explanation).toMatchObject({
      description: 'product',
      details: [
        { description: expect.stringContaining('text "wall"') },
        {
          value: 1 + 2 * Math.log1p(99),
          description: 'boost by loans: 1 + 2 * log1p of 1 * value',
          details: [{ value: 99, description: 'value', details: [] }],
        },
        { value: 1, description: 'boost by nothing: no value', details: [] },
      ],
    });
  });

  it.each<[unknown, string, string]>([
    [{}, 'ERR_REQUEST', 'boosts must be a list; got an object'],
    [['loans'], 'ERR_REQUEST', 'each of boosts must be an object; got a text'],
    [Array.from({ length: 9 }, () => ({})), 'ERR_BOOST', 'boosts must be at most 8; got 9'],
    [[{ field: 'x' }], 'ERR_BOOST', 'the type of a boost must be value or decay; got undefined'],
    [
      [{ type: 'value', field: 'x', curve: 'toString' }],
      'ERR_BOOST',
      'the curve of a boost must be log1p, linear, reciprocal; got "toString"',
    ],
    [
      [{ type: 'value', field: 'x', curve: 'linear', factor: 0 }],
      'ERR_BOOST',
      'the factor of a boost must be a number above 0, at most 1000000; got 0',
    ],
    [
      [{ type: 'decay', field: 'x', curve: 'exp', origin: 'soon', scale: '1d' }],
      'ERR_BOOST',
      'the origin of a boost must be a number, a date or now; got "soon"',
    ],
    [
      [{ type: 'decay', field: 'x', curve: 'exp', origin: 0, scale: 0 }],
      'ERR_BOOST',
      'the scale of a boost must be above 0; got 0',
    ],
    [
      [{ type: 'decay', field: 'x', curve: 'exp', origin: '2020', scale: 5 }],
      'ERR_BOOST',
      'the scale of a boost must be a duration such as 30d (s, m, h, d or w) where the origin is a date; got 5',
    ],
  ])('refuses what is no boost: %j', async (boosts, code, message) => {
    const request = { query: 'wall', boosts: boosts as ScoreBoost[] };
    await expect(index.search(EVERYTHING, request)).rejects.toMatchObject({ code, message });
  });
});

describe('queryFields', () => {
  it('says where a query looks that names no field, and how heavily', async () => {
    const ids = async (queryFields: readonly string[] | undefined, query = 'harbour') => {
      const { results } = await index.search(EVERYTHING, { query, queryFields });
      return results.map(({ id }) => id);
    };
    expect(await ids(['text'])).toEqual(['a', 'b', 'c', 'd']);
    expect(await ids(['primaryName'])).toEqual(['e']);
    expect((await ids(['primaryName^64', 'text']))[0]).toBe('e');
    expect((await ids(['primaryName^0.0625', 'text^8'])).at(-1)).toBe('e');
    expect(await ids(['primaryName'], 'text:harbour')).toEqual(['a', 'b', 'c', 'd']);
    await expect(ids(['primaryName^65'])).rejects.toMatchObject({ code: 'ERR_FIELD_BOOST' });
    await expect(ids(Array.from({ length: 65 }, () => 'a'))).rejects.toThrow('queryFields must be at most 64; got 65');
  });
});

describe('the configuration of an index', () => {
  const boosts: readonly ScoreBoost[] = [{ type: 'value', field: 'loans', curve: 'linear' }];

  it('says what scores are raised by and where queries look, unless a request does', async () => {
    const configured = await open({ boosts, defaultFields: ['text'] });
    const request = { query: 'harbour', boosts, queryFields: ['text'] };
    const asked = await index.search(EVERYTHING, request);
    expect(await configured.search(EVERYTHING, { query: 'harbour' })).toEqual(asked);
    const { results } = await configured.search(EVERYTHING, { query: 'harbour', boosts: [], queryFields: ['*'] });
    const plain = await index.search(EVERYTHING, { query: 'harbour', boosts: [], queryFields: ['*'] });
    expect(results).toEqual(plain.results);
  });

  it('is refused where a boost is none', async () => {
    const bad = [{ type: 'value', field: 'loans', curve: 'steep' }] as never;
    await expect(open({ boosts: bad })).rejects.toMatchObject({
      code: 'ERR_CONFIGURATION',
      message: 'boosts of index search: the curve of a boost must be log1p, linear, reciprocal; got "steep"',
    });
  });
});
