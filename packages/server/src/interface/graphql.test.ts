import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const GRAPH = '/api/graph/knowledge';
const EX = 'https://example.org/id/';
const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';

const server: TestServer = await startTestServer();
const token = await server.server.issueToken('alice');
beforeAll(async () => {
  const eagle = `INSERT DATA { <${EX}eagle> a <${EX}Module> ; <${NAME}> "Eagle" }`;
  expect((await server.update('alice', '*', eagle)).status).toBe(200);
  const secret = `INSERT DATA { <${EX}eagle> <${EX}knows> <${EX}hidden> . <${EX}hidden> a <${EX}Module> }`;
  expect((await server.update('alice', 'clearance=TS', secret)).status).toBe(200);
});
afterAll(() => server.server.close());

async function ask(user: string | undefined, path: string, query: string, accept?: string): Promise<[number, Loose]> {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const response = await server.send(user, `${GRAPH}${path}?query=${encodeURIComponent(query)}`, { headers });
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text) : text];
}

describe('GET and POST /{dataset}/graphql', () => {
  it('answers the dataset schema from what the caller may see', async () => {
    const query = '{ quads { subject { value } } }';
    const [status, all] = await ask('alice', '/graphql', query);
    const [, visible] = await ask('dieter', '/graphql', query);
    expect([status, all.data.quads.length, visible.data.quads.length]).toEqual([200, 4, 2]);
  });

  it('answers the traversal and the platform schema', async () => {
    const [, traversal] = await ask(
      'dieter',
      '/traversal/graphql',
      '{ nodes { node { value } outgoing { target { node { value } } } } }',
    );
    expect(traversal.data.nodes[0].node.value).toBe(`${EX}eagle`);
    const node = `{ node(uri: "${EX}eagle") { uri types { uri } relCounts { outRels } } }`;
    const [, platform] = await ask('alice', '/platform/graphql', node);
    expect([platform.errors, platform.data.node.relCounts.outRels]).toEqual([undefined, 2]);
    expect((await ask('dieter', '/platform/graphql', node))[1].data.node.relCounts.outRels).toBe(1);
  });

  it('searches through the index', async () => {
    const [, answer] = await ask('dieter', '/platform/graphql', '{ search(searchTerm: "eagle") { uri } }');
    expect(answer).toEqual({ data: { search: [{ uri: `${EX}eagle` }] } });
  });

  it('takes JSON by POST, and answers 400 in the words of GraphQL', async () => {
    const post = (body: string): Promise<Response> =>
      server.send('alice', `${GRAPH}/graphql`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
    expect(await (await post('{"query":"{ __typename }"}')).json()).toEqual({ data: { __typename: 'Quads' } });
    for (const body of ['', '[]', '{', '{"query":1}', '{"query":"{a}","x":1}']) {
      const response = await post(body);
      expect([body, response.status, ((await response.json()) as Loose).errors.length]).toEqual([body, 400, 1]);
    }
    const missing = await server.send('alice', `${GRAPH}/graphql`);
    expect([missing.status, ((await missing.json()) as Loose).errors.length]).toEqual([400, 1]);
  });

  it('answers 401, 403 and 404', async () => {
    expect((await ask(undefined, '/graphql', '{ __typename }'))[0]).toBe(401);
    expect((await ask('nobody', '/graphql', '{ __typename }'))[0]).toBe(403);
    expect((await server.send('alice', '/api/graph/none/graphql?query=%7B__typename%7D')).status).toBe(404);
    expect((await ask('alice', '/nothing/graphql', '{ __typename }'))[0]).toBe(404);
  });
});

/** The schemas by their place in the path, with the name of their root type. */
const ROOT_TYPES: readonly (readonly [segment: string, rootType: string])[] = [
  ['', 'Quads'],
  ['/traversal', 'Traversal'],
  ['/platform', 'Query'],
];

describe.each(ROOT_TYPES)('%s/graphql and validate', (segment, rootType) => {
  const document = 'query A($yes: Boolean!) { __typename @include(if: $yes) } query B { kind: __typename }';
  const post = (end: string, body: unknown): Promise<Response> =>
    server.send('alice', `${GRAPH}${segment}/${end}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });

  it('take query, operationName, variables and extensions by GET', async () => {
    const sent = { query: document, operationName: 'A', variables: '{"yes": true}', extensions: '{}' };
    const response = await server.send('alice', `${GRAPH}${segment}/graphql?${new URLSearchParams(sent)}`);
    expect([response.status, await response.json()]).toEqual([200, { data: { __typename: rootType } }]);
    const malformed = new URLSearchParams({ ...sent, variables: '{' });
    expect((await server.send('alice', `${GRAPH}${segment}/graphql?${malformed}`)).status).toBe(400);
  });

  it('take query, operationName, variables and extensions by POST', async () => {
    const sent = { query: document, operationName: 'B', variables: { yes: false }, extensions: {} };
    const response = await post('graphql', sent);
    expect([response.status, await response.json()]).toEqual([200, { data: { kind: rootType } }]);
    expect((await post('graphql', { ...sent, variables: 'none' })).status).toBe(400);
    expect((await post('graphql', { operationName: 'B' })).status).toBe(400);
  });

  it('validate by POST', async () => {
    const valid = await post('validate', { query: document, operationName: 'B' });
    expect([valid.status, await valid.text()]).toEqual([200, 'Query is valid']);
    const invalid = await post('validate', { query: '{ nothing }' });
    expect([invalid.status, ((await invalid.json()) as Loose).errors]).toEqual([400, [expect.anything()]]);
  });
});

describe('GET and POST /{dataset}/validate', () => {
  it.each(['', '/traversal', '/platform'])('says whether a query fits the schema at %s', async (segment) => {
    expect(await ask('alice', `${segment}/validate`, '{ __typename }')).toEqual([200, 'Query is valid']);
    const [status, answer] = await ask('alice', `${segment}/validate`, '{ nothing }');
    expect([status, answer.errors[0].locations]).toEqual([400, [{ line: 1, column: 3 }]]);
  });
});

describe.each(['', '/traversal', '/platform'])('the audits of GraphQL over HTTP at %s/graphql', (segment) => {
  const authorized: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), Authorization: `Bearer ${token}` },
    });
  const audits = serverAudits({ url: `${server.url}${GRAPH}${segment}/graphql`, fetchFn: authorized });

  it('are 61', () => expect(audits).toHaveLength(61));
  it.each(audits)('$name', async (audit) => {
    expect(await audit.fn()).toMatchObject({ status: 'ok' });
  });
});
