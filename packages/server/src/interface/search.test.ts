import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const SEARCH = '/api/search';
const APOLLO = path.join(import.meta.dirname, '../../../../test-fixtures/apollo/documents');
const EAGLE = 'https://example.org/id/eagle';
const PEOPLE = `
PREFIX ex: <https://example.org/id/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX ies: <http://ies.data.gov.uk/ontology/ies4#>
INSERT DATA {
  ex:eagle a ex:LunarModule ; rdfs:label "Eagle" .
  ex:columbia a ex:CommandModule ; rdfs:label "Columbia" .
}`;
const SECRET = `
PREFIX ex: <https://example.org/id/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
INSERT DATA { ex:nighthawk a ex:LunarModule ; rdfs:label "Eaglet Nighthawk" }`;

let server: TestServer;
let pdf = '';
beforeAll(async () => {
  server = await startTestServer();
  expect((await server.update('alice', '*', PEOPLE)).status).toBe(200);
  expect((await server.update('alice', 'clearance=TS', SECRET)).status).toBe(200);
  const uploaded = await server.upload('alice', '*', {
    'landing.pdf': readFileSync(path.join(APOLLO, 'apollo-11-landing.pdf')),
    'note.txt': 'The Eagle has landed, said the lunar module pilot. ana@example.org heard it.',
  });
  expect(uploaded.status).toBe(202);
  expect(
    (await server.upload('alice', 'clearance=TS', { 'secret.txt': 'Eagle secret ascent trajectory.' })).status,
  ).toBe(202);
  pdf = await eventually(async () => {
    const found = await server.get('alice', `${SEARCH}/documents?query=landed&indices=doc-content`);
    const secret = await server.get('alice', `${SEARCH}/documents?query=trajectory&indices=doc-content`);
    return secret.results.length === 1 && found.results.length > 0 ? found.results[0].id : undefined;
  });
});
afterAll(() => server.server.close());

/** The answers of a GET and of its POST twin, which must be the same. */
async function both(
  user: string,
  where: string,
  parameters: Record<string, string | string[]>,
): Promise<Record<string, Loose>> {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) query.append(name, value);
  const got = await server.send(user, `${SEARCH}${where}?${query}`);
  const posted = await server.form(user, `${SEARCH}${where}`, parameters);
  const body = (await got.json()) as Loose;
  expect([posted.status, normal(await posted.json())]).toEqual([got.status, normal(body)]);
  return { status: got.status, ...body };
}

function normal(body: Loose): unknown {
  if (body?.detail === undefined) return body;
  return { ...body, detail: body.detail.replaceAll('form parameter', 'query parameter').replace('POST', 'GET') };
}

describe('GET /documents and POST /documents', () => {
  it('answers SearchResults with the keys of the interface', async () => {
    const { status, ...body } = await both('alice', '/documents', { query: 'eagle' });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['maybeMore', 'limit', 'offset', 'query', 'type', 'results']);
    expect(body).toMatchObject({ maybeMore: false, limit: 100, offset: 1, query: 'eagle', type: 'query' });
    expect(Object.keys(body['results'][0])).toEqual(['id', 'score', 'document']);
  });

  it('gives each viewer what they may see, and no totals of the rest', async () => {
    const seen = (body: Loose): string[] =>
      body.results.map(({ document }: Loose) => document.primaryName ?? document.Title ?? document.uri);
    const alice = await both('alice', '/documents', { query: 'secret' });
    expect(alice['results']).toHaveLength(1);
    expect((await both('dieter', '/documents', { query: 'secret' }))['results']).toEqual([]);
    expect(seen(await both('dieter', '/documents', { query: 'nighthawk' }))).toEqual([]);
    expect(seen(await both('alice', '/documents', { query: 'nighthawk' }))).toEqual(['Eaglet Nighthawk']);
  });

  it.each([['query'], ['term'], ['phrase'], ['PHRASE']])('takes type=%s', async (type) => {
    const body = await both('alice', '/documents', { query: 'has landed', type });
    expect([body['status'], body['type']]).toEqual([200, type.toLowerCase()]);
    expect(body['results'].length).toBeGreaterThan(0);
  });

  it('pages by limit and 1-based offset, with an exact maybeMore', async () => {
    const all = await both('alice', '/documents', { query: 'eagle' });
    const first = await both('alice', '/documents', { query: 'eagle', limit: '1' });
    expect([first['maybeMore'], first['results'][0].id]).toEqual([true, all['results'][0].id]);
    const last = await both('alice', '/documents', {
      query: 'eagle',
      limit: '1',
      offset: String(all['results'].length),
    });
    expect([last['maybeMore'], last['results'][0].id]).toEqual([false, all['results'].at(-1).id]);
  });

  it('pages behind the last result by a cursor', async () => {
    const all = await both('alice', '/documents', { query: 'eagle' });
    const ids: string[] = [];
    for (let after = '*'; after !== undefined; ) {
      const page: Loose = await both('alice', '/documents', { query: 'eagle', limit: '1', after });
      ids.push(...page.results.map(({ id }: Loose) => id));
      after = page.next;
    }
    expect(ids).toEqual(all['results'].map(({ id }: Loose) => id));
    const bad = await both('alice', '/documents', { query: 'eagle', after: 'mine' });
    expect([bad['status'], bad['code']]).toEqual([400, 'ERR_CURSOR']);
  });

  it('orders by fields, counts all that is visible, and takes parts of documents', async () => {
    const shape = { query: '*:*', sort: '<primaryName', fields: 'primaryName,types', 'exclude-fields': 'types' };
    const { status, ...body } = await both('alice', '/documents', { ...shape, total: 'true', limit: '1000' });
    expect(status).toBe(200);
    const documents: Loose[] = body['results'].map(({ document }: Loose) => document);
    expect(body['total']).toEqual({ value: documents.length, relation: 'eq' });
    expect(Object.keys(body)).toEqual(['maybeMore', 'limit', 'offset', 'query', 'type', 'total', 'results']);
    const names = documents.map(({ primaryName }) => primaryName).filter((name) => name !== undefined);
    expect(names.length).toBeGreaterThan(2);
    expect(names).toEqual([...names].sort());
    expect(new Set(documents.flatMap((document) => Object.keys(document)))).toEqual(new Set(['primaryName']));
    const counted = await both('alice', '/documents', { query: '*:*', total: 'true', 'total-bound': '2' });
    expect(counted['total']).toEqual({ value: 2, relation: 'gte' });
  });

  it('finds what is like a text or a visible document, and 404 for any other', async () => {
    const like: Loose = await both('alice', '/documents', { query: 'eagle landed', type: 'like', 'like-terms': '1' });
    expect([like.status, like.type]).toEqual([200, 'like']);
    expect(like.results.length).toBeGreaterThan(0);
    const document = { query: like.results[0].id, type: 'like-document' };
    const others: Loose = await both('alice', '/documents', document);
    expect(others.status).toBe(200);
    expect(others.results.map(({ id }: Loose) => id)).not.toContain(document.query);
    const secret: Loose = await both('alice', '/documents', { query: 'trajectory' });
    for (const query of [secret.results[0].id, 'https://example.org/nowhere']) {
      const refused = await both('dieter', '/documents', { query, type: 'like-document' });
      expect([refused['status'], refused['code'], refused['detail']]).toEqual([
        404,
        'ERR_NO_DOCUMENT',
        'there is no document with this id',
      ]);
    }
  });

  it('raises scores by values, and looks in the fields that are asked for', async () => {
    const plain: Loose = await both('alice', '/documents', { query: 'eagle' });
    const near = 'metadata.bytes,linear,0,1000000,0,3';
    const raised: Loose = await both('alice', '/documents', { query: 'eagle', 'boost-near': near });
    const before = new Map<string, number>(plain.results.map(({ id, score }: Loose) => [id, score]));
    expect(raised.results.map(({ id }: Loose) => id).sort()).toEqual([...before.keys()].sort());
    expect(raised.results.every(({ id, score }: Loose) => score >= (before.get(id) ?? 0))).toBe(true);
    const named: Loose = await both('alice', '/documents', { query: 'eagle', 'query-fields': 'primaryName^2' });
    expect(named.results.map(({ id }: Loose) => id)).toContain(EAGLE);
    expect(named.results.length).toBeLessThan(plain.results.length);
    for (const [name, bad] of [
      ['boost-by', 'start'],
      ['boost-by', 'start,steep'],
      ['boost-by', 'start,log1p,many'],
      ['boost-near', 'start,exp,now,5q'],
    ] as const) {
      const { status, code } = await both('alice', '/documents', { query: 'eagle', [name]: bad });
      expect([status, code]).toEqual([400, 'ERR_BOOST']);
    }
    const now = await both('alice', '/documents', { query: 'eagle', 'boost-near': 'start,exp,now,30d' });
    expect(now['status']).toBe(200);
  });

  it('orders by words of the best matches too, and finds the same', async () => {
    const plain: Loose = await both('alice', '/documents', { query: 'eagle' });
    const fed: Loose = await both('alice', '/documents', { query: 'eagle', feedback: '2', 'feedback-terms': '5' });
    expect(fed.results.map(({ id }: Loose) => id).sort()).toEqual(plain.results.map(({ id }: Loose) => id).sort());
    const scoreOf = ({ results }: Loose): number => results[0].score;
    expect(scoreOf(fed)).toBeGreaterThan(scoreOf(plain));
    for (const feedback of ['-1', '51', 'many']) {
      const { status, code } = await both('alice', '/documents', { query: 'eagle', feedback });
      expect([status, code], feedback).toEqual([400, 'ERR_PARAMETER']);
    }
  });

  it('collapses results by a field, and says how many each stands for', async () => {
    const all: Loose = await both('alice', '/documents', { query: '*:*', facets: 'types', limit: '1000' });
    const body: Loose = await both('alice', '/documents', { query: '*:*', collapse: 'types', 'collapse-bound': '1' });
    const [first, ...others] = body.results.filter(({ collapsed }: Loose) => collapsed !== undefined);
    expect(others.length).toBeGreaterThan(0);
    expect(Object.keys(first)).toEqual(['id', 'score', 'document', 'collapsed']);
    const counts = new Map(all.facets[0].values.map(({ value, count }: Loose) => [value, count]));
    for (const { collapsed } of [first, ...others]) {
      const relation = counts.get(collapsed.value) === 1 ? 'eq' : 'gte';
      expect(collapsed).toEqual({ value: collapsed.value, count: { value: 1, relation } });
    }
  });

  it('counts facets, histograms and ranges beside the results', async () => {
    const asked = { facets: 'types', histograms: 'start:year', 'facet-ranges': 'start:..1970,1970..' };
    const body: Loose = await both('alice', '/documents', {
      query: '*:*',
      limit: '1',
      'facet-limit': '1000',
      ...asked,
    });
    const all: Loose = await both('alice', '/documents', { query: '*:*', limit: '1000' });
    const types = all.results.flatMap(({ document }: Loose) => [...new Set([document.types ?? []].flat())]);
    const [facet, years, ranges] = body.facets;
    expect(facet.values.reduce((sum: number, { count }: Loose) => sum + count, 0)).toBe(types.length);
    const counted = years.values.reduce((sum: number, { count }: Loose) => sum + count, 0);
    expect(counted).toBe(all.results.filter(({ document }: Loose) => document.start !== undefined).length);
    expect(ranges.values.map(({ value }: Loose) => value)).toEqual(['..1970', '1970..']);
    for (const [name, value] of [
      ['histograms', 'start'],
      ['facet-ranges', 'start:1970'],
      ['histograms', 'start:eon'],
    ] as const) {
      expect((await both('alice', '/documents', { query: '*:*', [name]: value }))['status']).toBe(400);
    }
  });

  it('highlights with <em>, or with both tags of its own', async () => {
    const plain = await both('alice', '/documents', { query: 'trajectory', highlighting: 'true' });
    expect(JSON.stringify(plain['results'][0].highlighted)).toContain('<em>trajectory</em>');
    const own = {
      query: 'trajectory',
      highlighting: 'true',
      'highlighting-pre-tag': '<b>',
      'highlighting-post-tag': '</b>',
    };
    expect(JSON.stringify((await both('alice', '/documents', own))['results'][0].highlighted)).toContain(
      '<b>trajectory</b>',
    );
  });

  it('gives snippets of text, whatever parts of the documents come back', async () => {
    const asked = { query: 'landed lunar', snippets: 'true', fields: 'uri', indices: 'doc-content' };
    const [note] = (await both('alice', '/documents', asked))['results'].filter(({ snippets }: Loose) =>
      JSON.stringify(snippets).includes('ana@example.org'),
    );
    expect(Object.keys(note)).toEqual(['id', 'score', 'document', 'snippets']);
    expect(Object.keys(note.document)).toEqual(['uri']);
    expect(Object.values(note.snippets).flat()).toContain(
      'The Eagle has <em>landed</em>, said the <em>lunar</em> module pilot. ana@example.org heard it.',
    );
    const tags = { 'highlighting-pre-tag': '<b>', 'highlighting-post-tag': '</b>' };
    const size = { 'snippet-length': '24', 'snippet-fragments': '1', 'snippet-fields': 'con*' };
    const short: Loose = await both('alice', '/documents', { ...asked, query: 'lunar', ...tags, ...size });
    expect(short.results.map(({ snippets }: Loose) => snippets)).toContainEqual({
      content: ['said the <b>lunar</b> module'],
    });
    expect((await both('alice', '/documents', { ...asked, 'snippet-length': '5' }))['status']).toBe(400);
  });

  it('takes letters that are wrong, on request', async () => {
    const found = async (where: string, query: string, fuzziness?: string): Promise<string[]> =>
      (await both('alice', where, { query, indices: 'search', ...(fuzziness && { fuzziness }) }))['results'].map(
        ({ document }: Loose) => document.primaryName,
      );
    expect(await found('/documents', 'columbai')).toEqual([]);
    expect(await found('/documents', 'columbai', 'auto')).toEqual(['Columbia']);
    expect(await found('/documents', 'columbai', '0')).toEqual([]);
    expect(await found('/typeahead', 'eaglet nihgt')).toEqual([]);
    expect(await found('/typeahead', 'nihgthawk', '2')).toEqual(['Eaglet Nighthawk']);
    expect((await both('dieter', '/documents', { query: 'nihgthawk', fuzziness: 'auto' }))['results']).toEqual([]);
    expect((await both('alice', '/documents', { query: 'a', fuzziness: '3' }))['status']).toBe(400);
  });

  it('says what a misspelt query may have meant, by what the viewer sees', async () => {
    const asked = { query: 'nighthwak', 'did-you-mean': 'true' };
    expect((await both('alice', '/documents', asked))['didYouMean']).toEqual({
      query: 'nighthawk',
      words: [{ word: 'nighthwak', replacements: [{ text: 'nighthawk', count: 1 }] }],
    });
    expect(Object.keys(await both('dieter', '/documents', asked))).not.toContain('didYouMean');
    expect(Object.keys(await both('alice', '/documents', { query: 'nighthwak' }))).not.toContain('didYouMean');
  });

  it('searches as one types', async () => {
    const found = async (user: string, query: string): Promise<string[]> =>
      (await both(user, '/documents', { query, type: 'as-you-type', indices: 'search' }))['results'].map(
        ({ document }: Loose) => document.primaryName,
      );
    expect((await found('alice', 'eagle')).slice(0, 2)).toEqual(['Eagle', 'Eaglet Nighthawk']);
    expect(await found('alice', 'eaglet nigh')).toEqual(['Eaglet Nighthawk']);
    expect(await found('alice', 'nighthwak')).toEqual(['Eaglet Nighthawk']);
    expect(await found('dieter', 'eaglet nigh')).toEqual([]);
  });

  it('filters by type in each mode, plain and base64', async () => {
    const type = 'https://example.org/id/LunarModule';
    const names = async (extra: Record<string, string>): Promise<string[]> =>
      (await both('alice', '/documents', { query: 'eagle', indices: 'search', ...extra }))['results'].map(
        ({ id }: Loose) => id,
      );
    expect(await names({ 'type-filter': type })).toEqual([EAGLE]);
    expect(await names({ 'type-filter': type, 'type-filter-mode': 'entity' })).toEqual([EAGLE]);
    expect(await names({ 'type-filter': type, 'type-filter-mode': 'identifier' })).toEqual([]);
    expect(
      await names({ 'type-filter': Buffer.from(type).toString('base64'), 'is-type-filter-base64': 'true' }),
    ).toEqual([EAGLE]);
  });

  it('shows security labels only when asked', async () => {
    const hidden = await both('alice', '/documents', { query: 'trajectory' });
    expect(JSON.stringify(hidden)).not.toContain('securityLabels');
    const shown = await both('alice', '/documents', { query: 'trajectory', 'show-security-labels': 'true' });
    expect(JSON.stringify(shown['results'][0].document.securityLabels)).toContain('clearance=TS');
  });

  it.each([
    [{}, 'query parameter query is required'],
    [
      { query: 'a', type: 'wildcard' },
      'query parameter type must be one of query, term, phrase, as-you-type, like, like-document; got "wildcard"',
    ],
    [{ query: 'a', limit: '0' }, 'query parameter limit must be 1 to 1000; got "0"'],
    [{ query: 'a', limit: '1001' }, 'query parameter limit must be 1 to 1000; got "1001"'],
    [{ query: 'a', offset: '0' }, 'query parameter offset must be 1 to 1000000; got "0"'],
    [{ query: 'a', highlighting: 'maybe' }, 'query parameter highlighting must be true or false; got "maybe"'],
    [
      { query: 'a', 'highlighting-pre-tag': '<b>' },
      'query parameter highlighting-post-tag is required with highlighting-pre-tag',
    ],
    [
      { query: 'a', 'highlighting-post-tag': '</b>' },
      'query parameter highlighting-pre-tag is required with highlighting-post-tag',
    ],
    [
      { query: 'a', 'type-filter-mode': 'both' },
      'query parameter type-filter-mode must be one of any, entity, identifier; got "both"',
    ],
    [
      { query: 'a', 'type-filter': '!', 'is-type-filter-base64': 'true' },
      'query parameter type-filter must be canonical base64 of UTF-8 text; got "!"',
    ],
    [{ query: 'a', 'range-start': '1' }, 'query parameter range-fields is required with range-start or range-end'],
    [{ query: 'a', indices: 'search,other' }, 'indices must be among search, doc-content; got "other"'],
    [{ query: 'a', Limit: '5' }, 'query parameter "Limit" is unknown'],
    [{ query: ['a', 'b'] }, 'query parameter query must be given once; got 2'],
    [{ query: '"open' }, ''],
  ])('answers 400 for %j', async (parameters, detail) => {
    const body = await both('alice', '/documents', parameters as Loose);
    expect(body['status']).toBe(400);
    expect(body['detail']).toContain(detail);
  });
});

describe('GET /documents/{id} and POST /documents/id', () => {
  it('gives the document, plain and base64, also to an id with slashes', async () => {
    const document = await server.get('dieter', `${SEARCH}/documents/${encodeURIComponent(EAGLE)}`);
    expect(document).toMatchObject({ uri: EAGLE, primaryName: 'Eagle' });
    const base64 = Buffer.from(EAGLE).toString('base64url');
    expect(await server.get('dieter', `${SEARCH}/documents/${base64}?is-base64=true`)).toEqual(document);
    expect(await (await server.form('dieter', `${SEARCH}/documents/id`, { id: EAGLE })).json()).toEqual(document);
    expect(
      await (await server.form('dieter', `${SEARCH}/documents/id`, { id: base64, 'is-base64': 'true' })).json(),
    ).toEqual(document);
  });

  it('answers 404 alike for what is not there and what may not be seen', async () => {
    const hidden = await server.send(
      'dieter',
      `${SEARCH}/documents/${encodeURIComponent('https://example.org/id/nighthawk')}`,
    );
    const missing = await server.send(
      'dieter',
      `${SEARCH}/documents/${encodeURIComponent('https://example.org/id/nighthawl')}`,
    );
    const strip = ({ instance: _, ...rest }: Loose): unknown => rest;
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect(strip(await hidden.json())).toEqual(strip(await missing.json()));
    expect(
      (await server.send('alice', `${SEARCH}/documents/${encodeURIComponent('https://example.org/id/nighthawk')}`))
        .status,
    ).toBe(200);
  });

  it('answers 400 without an id, and 404 in an index that lacks it', async () => {
    expect((await server.send('alice', `${SEARCH}/documents/`)).status).toBe(400);
    expect((await server.form('alice', `${SEARCH}/documents/id`, {})).status).toBe(400);
    expect(
      (await server.send('alice', `${SEARCH}/documents/${encodeURIComponent(EAGLE)}?indices=doc-content`)).status,
    ).toBe(404);
    expect((await server.send('alice', `${SEARCH}/documents/x?indices=other`)).status).toBe(400);
  });
});

describe('GET /list and POST /list', () => {
  it('gives for each id its document, or null', async () => {
    const body = await both('dieter', '/list', { id: [EAGLE, 'urn:none', 'https://example.org/id/nighthawk'] });
    expect(body[EAGLE]).toMatchObject({ uri: EAGLE });
    expect([body['urn:none'], body['https://example.org/id/nighthawk']]).toEqual([null, null]);
    const base64 = await both('dieter', '/list', { id: Buffer.from(EAGLE).toString('base64'), 'is-base64': 'true' });
    expect(base64[EAGLE]).toMatchObject({ uri: EAGLE });
  });

  it('answers 400 without ids, and for too many', async () => {
    expect((await both('dieter', '/list', {}))['status']).toBe(400);
    expect(
      (await server.form('dieter', `${SEARCH}/list`, { id: Array.from({ length: 1001 }, (_, i) => `urn:${i}`) }))
        .status,
    ).toBe(400);
  });
});

describe('GET /typeahead and POST /typeahead', () => {
  it('completes the last word of a name', async () => {
    const body = await both('dieter', '/typeahead', { query: 'eag' });
    expect(body['type']).toBe('phrase');
    expect(body['results'].map(({ id }: Loose) => id)).toEqual([EAGLE]);
    expect((await both('alice', '/typeahead', { query: 'eag' }))['results']).toHaveLength(2);
  });

  it('looks in the fields that are named, with wildcards', async () => {
    expect((await both('dieter', '/typeahead', { query: 'eag', fields: 'nothing' }))['results']).toEqual([]);
    expect((await both('dieter', '/typeahead', { query: 'eag', fields: ['*Name', 'Title'] }))['results']).toHaveLength(
      1,
    );
  });

  it('takes limit, offset and filters, and refuses what the others refuse', async () => {
    expect(await both('alice', '/typeahead', { query: 'eag', limit: '1' })).toMatchObject({
      limit: 1,
      maybeMore: true,
    });
    expect(
      (await both('alice', '/typeahead', { query: 'eag', 'type-filter': 'https://example.org/id/CommandModule' }))[
        'results'
      ],
    ).toEqual([]);
    for (const parameters of [
      {},
      { query: 'a', limit: '0' },
      { query: 'a', offset: 'x' },
      { query: 'a', indices: 'x' },
    ]) {
      expect((await both('alice', '/typeahead', parameters as Loose))['status']).toBe(400);
    }
  });
});

describe('GET /facets and POST /facets', () => {
  it('counts the values of one field', async () => {
    const parameters = { query: 'eagle OR columbia', facet: 'types', indices: 'search' };
    const body = await both('dieter', '/facets', parameters);
    expect(Object.keys(body)).toEqual(['status', 'query', 'type', 'sampleSize', 'results']);
    expect(body['results']).toEqual([
      { value: 'https://example.org/id/CommandModule', count: 1, percentage: 0.5 },
      { value: 'https://example.org/id/LunarModule', count: 1, percentage: 0.5 },
    ]);
    const encoded = { ...parameters, facet: Buffer.from('types').toString('base64'), 'is-facet-base64': 'true' };
    expect((await both('dieter', '/facets', encoded))['results']).toEqual(body['results']);
  });

  it('samples as many as it is told to', async () => {
    expect((await both('alice', '/facets', { query: 'eagle', facet: 'types', 'sample-size': '1' }))['sampleSize']).toBe(
      1,
    );
    for (const parameters of [
      { query: 'a' },
      { facet: 'types' },
      { query: 'a', facet: 'types', 'sample-size': '0' },
      { query: 'a', facet: 'types', 'sample-size': '5001' },
      { query: 'a', facet: '!', 'is-facet-base64': 'true' },
    ]) {
      expect((await both('alice', '/facets', parameters as Loose))['status']).toBe(400);
    }
  });
});

describe('GET /states and POST /states', () => {
  it('gives null for an entity without states', async () => {
    expect(await both('dieter', '/states', { id: EAGLE, sort: '<start' })).toEqual({ status: 200, [EAGLE]: null });
  });

  it('answers 400 without ids', async () => {
    expect((await both('dieter', '/states', {}))['status']).toBe(400);
  });
});

describe('POST /documents/update-entity', () => {
  const correct = (user: string, body: unknown): Promise<Response> =>
    server.send(user, `${SEARCH}/documents/update-entity`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });

  it('sets the resolved URI and category, which a search then sees', async () => {
    const found = await server.get('alice', `${SEARCH}/documents?query=pilot&indices=doc-content`);
    const { uri, entities } = found.results[0].document;
    const entity = entities[0];
    const response = await correct('alice', {
      documentUri: uri,
      entityText: entity.text,
      entityCategory: entity.category,
      resolvedEntityUri: EAGLE,
      resolvedCategory: 'https://example.org/id/Resolved',
    });
    const document = (await response.json()) as Loose;
    expect([response.status, document.uri]).toEqual([200, uri]);
    expect(document.entities).toContainEqual(
      expect.objectContaining({ uri: EAGLE, category: 'https://example.org/id/Resolved' }),
    );
    const again = await server.get('alice', `${SEARCH}/documents/${encodeURIComponent(uri)}`);
    expect(again.entities).toEqual(document.entities);
  });

  it('merges entities of the same text and the new category, in the indices that are named', async () => {
    const label = '<http://www.w3.org/2000/01/rdf-schema#label> "Falcon"';
    await server.update('alice', '*', `INSERT DATA { <urn:f1> a <urn:A> ; ${label} . <urn:f2> a <urn:B> ; ${label} }`);
    await server.upload('alice', '*', { 'falcon.txt': 'The Falcon was driven on a mesa.' });
    const { id, document } = await eventually(
      async () => (await server.get('alice', `${SEARCH}/documents?query=mesa`)).results[0],
    );
    expect(document.entities.map(({ category }: Loose) => category)).toEqual(['urn:A', 'urn:B']);
    const entity = { documentUri: id, entityText: 'Falcon', entityCategory: 'urn:A' };
    const request = { ...entity, resolvedEntityUri: 'urn:f2', resolvedCategory: 'urn:B' };
    expect((await correct('alice', { ...request, indices: 'search' })).status).toBe(400);
    const response = await correct('alice', { ...request, indices: 'doc-content' });
    const { entities } = (await response.json()) as Loose;
    expect([response.status, entities.length]).toEqual([200, 1]);
    expect(entities[0]).toMatchObject({ text: 'Falcon', category: 'urn:B', uri: 'urn:f2' });
  });

  it('answers 400 alike when nothing matches and when the document may not be seen', async () => {
    const secret = (await server.get('alice', `${SEARCH}/documents?query=trajectory`)).results[0].id;
    const request = { entityText: 'x', entityCategory: 'urn:c', resolvedEntityUri: 'urn:e', resolvedCategory: 'urn:d' };
    const hidden = await correct('dieter', { ...request, documentUri: secret });
    const missing = await correct('dieter', { ...request, documentUri: 'urn:none' });
    expect([hidden.status, missing.status]).toEqual([400, 400]);
    expect(await hidden.json()).toEqual(await missing.json());
  });

  it.each([
    [{}, 'body field documentUri is required; body field entityText is required'],
    [
      {
        documentUri: 'x y',
        entityText: 'a',
        entityCategory: 'urn:c',
        resolvedEntityUri: 'urn:e',
        resolvedCategory: 'urn:d',
      },
      'body field documentUri must be an absolute URI; got "x y"',
    ],
    [
      {
        documentUri: 'urn:x',
        entityText: 1,
        entityCategory: 'urn:c',
        resolvedEntityUri: 'urn:e',
        resolvedCategory: 'urn:d',
      },
      'body field entityText must be text; got "1"',
    ],
    [
      {
        documentUri: 'urn:x',
        entityText: 'a',
        entityCategory: 'urn:c',
        resolvedEntityUri: 'urn:e',
        resolvedCategory: 'urn:d',
        extra: 1,
      },
      'body field "extra" is unknown',
    ],
  ])('answers 400 for %j', async (body, detail) => {
    const response = await correct('alice', body);
    expect([response.status, ((await response.json()) as Loose).detail]).toEqual([
      400,
      expect.stringContaining(detail),
    ]);
  });

  it('takes JSON alone, from those who may write', async () => {
    expect((await server.form('alice', `${SEARCH}/documents/update-entity`, {})).status).toBe(415);
    expect((await server.send(undefined, `${SEARCH}/documents/update-entity`, { method: 'POST' })).status).toBe(401);
    expect((await correct('reader', {})).status).toBe(403);
    expect((await server.send('alice', `${SEARCH}/documents/update-entity`)).status).toBe(405);
  });
});

describe('GET /indices, /healthz, /version-info', () => {
  it('lists the configured indices', async () => {
    expect(await server.get('alice', `${SEARCH}/indices`)).toEqual({ indices: ['search', 'doc-content'] });
    expect((await server.form('alice', `${SEARCH}/indices`, {})).status).toBe(405);
  });

  it('needs no user for health and versions, and a user for the rest', async () => {
    const health = await server.send(undefined, `${SEARCH}/healthz`);
    expect([health.status, await health.json()]).toEqual([
      200,
      { healthy: true, config: expect.objectContaining({ authentication: 'local', searchClientReady: true }) },
    ]);
    const versions = (await (await server.send(undefined, `${SEARCH}/version-info`)).json()) as Loose;
    expect(Object.keys(versions)).toEqual(['search-api', 'search-index-cairn', 'search-api-server']);
    expect(Object.keys(versions['search-api'])).toEqual([
      'name',
      'version',
      'artifactId',
      'groupId',
      'buildEnv',
      'revision',
      'timestamp',
    ]);
    for (const where of [
      'documents?query=a',
      'documents/a',
      'list?id=a',
      'typeahead?query=a',
      'facets?query=a&facet=b',
      'states?id=a',
      'indices',
    ]) {
      const response = await server.send(undefined, `${SEARCH}/${where}`);
      expect([where, response.status, response.headers.get('www-authenticate')]).toEqual([
        where,
        401,
        'Bearer realm="cairn"',
      ]);
      expect((await server.send('nobody', `${SEARCH}/${where}`)).status).toBe(403);
    }
    expect((await server.send(undefined, '/livez')).status).toBe(200);
    expect((await server.send(undefined, '/readyz')).status).toBe(200);
  });
});

describe('GET /documents/uri-search', () => {
  it('answers SearchResults whose documents hold their uri alone', async () => {
    const body = await server.get('dieter', `${SEARCH}/documents/uri-search?query=eagle&indices=search`);
    expect(body.results.map(({ document }: Loose) => document)).toEqual([{ uri: EAGLE }]);
    expect(pdf).not.toBe('');
  });
});
