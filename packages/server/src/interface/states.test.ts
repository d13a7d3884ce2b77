import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const SEARCH = '/api/search';
const EX = 'https://example.org/id/';
const STATES = `
PREFIX ex: <${EX}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX ies: <http://ies.data.gov.uk/ontology/ies4#> PREFIX schema: <https://schema.org/>
INSERT DATA {
  ex:apollo a ex:Mission ; rdfs:label "Apollo" .
  ex:launch a ex:Launch, ies:State ; ies:isStateOf ex:apollo ; rdfs:label "Launch phase" ;
    schema:startDate "1969-07-16T13:32:00Z" ; schema:endDate "1969-07-16T13:44:00Z" .
  ex:landing a ex:Landing, ies:State ; ies:isStateOf ex:apollo ; rdfs:label "Landing phase" ;
    schema:startDate "1969-07-20T20:05:00Z" ; schema:endDate "1969-07-20T20:17:00Z" .
}`;
const HIDDEN = `
PREFIX ex: <${EX}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX ies: <http://ies.data.gov.uk/ontology/ies4#> PREFIX schema: <https://schema.org/>
INSERT DATA { ex:return a ies:State ; ies:isStateOf ex:apollo ; rdfs:label "Return phase" ; schema:startDate "1969-07-24T16:50:00Z" }`;
const APOLLO = `${EX}apollo`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  expect((await server.update('alice', '*', STATES)).status).toBe(200);
  expect((await server.update('alice', 'clearance=TS', HIDDEN)).status).toBe(200);
});
afterAll(() => server.server.close());

type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** The answer of a GET, which its POST twin must give, too. */
async function both(user: string, where: string, parameters: Parameters): Promise<Loose> {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) query.append(name, value as string);
  const got = await server.get(user, `${SEARCH}${where}?${query}`);
  expect(await (await server.form(user, `${SEARCH}${where}`, parameters)).json()).toEqual(got);
  return got;
}

const idsOf = (body: Loose): string[] => body.results.map(({ id }: Loose) => id.replace(EX, ''));
const statesOf = async (user: string, parameters: Parameters): Promise<string[]> =>
  idsOf((await both(user, '/states', { id: APOLLO, ...parameters }))[APOLLO]);

describe('GET /states and POST /states', () => {
  it('gives for each entity its states as SearchResults, or null', async () => {
    const body = await both('alice', '/states', { id: [APOLLO, 'urn:none'], sort: '<start' });
    expect(body['urn:none']).toBeNull();
    expect(Object.keys(body[APOLLO])).toEqual(['maybeMore', 'limit', 'offset', 'query', 'type', 'results']);
    expect(body[APOLLO]).toMatchObject({ maybeMore: false, query: APOLLO, type: 'query' });
    expect(body[APOLLO].results[0].document).toMatchObject({ isState: true, primaryName: 'Launch phase' });
  });

  it('gives each viewer the states they may see', async () => {
    expect(await statesOf('alice', { sort: '<start' })).toEqual(['launch', 'landing', 'return']);
    expect(await statesOf('dieter', { sort: '<start' })).toEqual(['launch', 'landing']);
  });

  it.each([
    ['<start', ['launch', 'landing']],
    ['>start', ['landing', 'launch']],
    ['start', ['landing', 'launch']],
    ['<end,score', ['launch', 'landing']],
  ])('sorts by %s', async (sort, expected) => {
    expect(await statesOf('dieter', { sort })).toEqual(expected);
  });

  it('sorts by score by default', async () => {
    expect(await statesOf('dieter', {})).toEqual(await statesOf('dieter', { sort: 'score' }));
  });

  it('takes a range', async () => {
    const range = { 'range-start': '1969-07-17', 'range-fields': 'start' };
    expect(await statesOf('dieter', range)).toEqual(['landing']);
    expect(await statesOf('alice', { ...range, sort: '<start' })).toEqual(['landing', 'return']);
    expect(await statesOf('alice', { ...range, 'range-end': '1969-07-21' })).toEqual(['landing']);
  });

  it('takes ids in base64, and shows labels when asked', async () => {
    const id = Buffer.from(APOLLO).toString('base64');
    const body = await both('dieter', '/states', { id, 'is-base64': 'true', 'show-security-labels': 'true' });
    expect(body[APOLLO].results[0].document.securityLabels).toBeDefined();
    expect(JSON.stringify(await both('dieter', '/states', { id: APOLLO }))).not.toContain('securityLabels');
  });

  it('reads the indices that are named, and answers 400 for another', async () => {
    expect((await both('dieter', '/states', { id: APOLLO, indices: 'doc-content' }))[APOLLO]).toBeNull();
    expect((await server.send('dieter', `${SEARCH}/states?id=a&indices=other`)).status).toBe(400);
  });
});

describe('range-start, range-end and range-fields', () => {
  const cases: readonly (readonly [Parameters, readonly string[]])[] = [
    [{ 'range-start': '1969-07-17', 'range-fields': 'start' }, ['landing']],
    [{ 'range-end': '1969-07-17', 'range-fields': 'start' }, ['launch']],
    [
      { 'range-start': '1969-07-16', 'range-end': '1969-07-21', 'range-fields': ['start', 'end'] },
      ['landing', 'launch'],
    ],
    [{ 'range-start': '1970', 'range-fields': 'start' }, []],
  ];

  it.each(cases)('narrow GET /documents and POST /documents by %j', async (range, expected) => {
    expect(idsOf(await both('dieter', '/documents', { query: 'phase', ...range })).sort()).toEqual(expected);
  });

  it.each(cases)('narrow GET /typeahead and POST /typeahead by %j', async (range, expected) => {
    expect(idsOf(await both('dieter', '/typeahead', { query: 'la', ...range })).sort()).toEqual(expected);
  });

  it.each(cases)('narrow GET /facets and POST /facets by %j', async (range, expected) => {
    const body = await both('dieter', '/facets', { query: 'phase', facet: 'types', ...range });
    expect(body.sampleSize).toBe(expected.length);
  });
});

describe('type-filter', () => {
  it('may be given more than once, and means any of them', async () => {
    const types = [`${EX}Launch`, `${EX}Landing`];
    expect(idsOf(await both('dieter', '/typeahead', { query: 'la', 'type-filter': types })).sort()).toEqual([
      'landing',
      'launch',
    ]);
    expect(idsOf(await both('dieter', '/documents', { query: 'phase', 'type-filter': types[0] }))).toEqual(['launch']);
  });
});

describe('the bounds of limit, offset and sample-size', () => {
  it.each([
    ['/documents', { query: 'phase', limit: '1' }, { limit: 1, offset: 1, maybeMore: true }],
    ['/documents', { query: 'phase', limit: '1000' }, { limit: 1000, offset: 1, maybeMore: false }],
    ['/documents', { query: 'phase', offset: '2' }, { limit: 100, offset: 2, maybeMore: false }],
    ['/typeahead', { query: 'la' }, { limit: 100, offset: 1, maybeMore: false }],
    ['/facets', { query: 'phase', facet: 'types' }, { query: 'phase', type: 'query', sampleSize: 2 }],
    [
      '/facets',
      { query: 'phase', facet: 'types', 'sample-size': '5000', type: 'term' },
      { type: 'term', sampleSize: 2 },
    ],
    ['/facets', { query: 'phase', facet: 'types', 'sample-size': '1' }, { sampleSize: 1 }],
  ])('are taken: %s %j', async (where, parameters, expected) => {
    expect(await both('dieter', where, parameters)).toMatchObject(expected);
  });
});
