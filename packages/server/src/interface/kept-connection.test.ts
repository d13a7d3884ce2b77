import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

let server: TestServer;
let token: string;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  server = await startTestServer({ ...TEST_CONFIGURATION, graph: { shortQueryMs: 0 } });
  token = await server.server.issueToken('alice');
});
afterAll(() => {
  agent.destroy();
  return server.server.close();
});

/** Sends a request on the one connection, and gives the status of its answer. */
async function send(
  path: string,
  options: { method?: string; headers?: OutgoingHttpHeaders } = {},
  body = '',
): Promise<number | undefined> {
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  const sent = request(`${server.url}${path}`, { agent, method: options.method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await buffer(answer);
  return answer.statusCode;
}

function post(path: string, type: string, body: string): Promise<number | undefined> {
  return send(path, { method: 'POST', headers: { 'Content-Type': type, 'Security-Label': '*' } }, body);
}

const QUERY = encodeURIComponent('SELECT * { ?s ?p ?o } LIMIT 1');
const GRAPHQL = encodeURIComponent('{ node(uri: "urn:a") { id } }');
const SHAPES = '[] a <http://www.w3.org/ns/shacl#NodeShape> .';

/** More than listeners that the signal of one connection may have at once. */
const REQUESTS = 70;

const OPERATIONS: Readonly<Record<string, (round: number) => Promise<number | undefined>>> = {
  'a search': () => send('/api/search/documents?query=eagle'),
  'a document': () => send('/api/search/documents/none'),
  'a query in a worker': () => send(`/api/graph/knowledge/query?query=${QUERY}`),
  'an update': (round) =>
    post('/api/graph/knowledge/update', 'application/sparql-update', `INSERT DATA { <urn:${round}> <urn:p> 1 }`),
  'a query of GraphQL': () => send(`/api/graph/knowledge/platform/graphql?query=${GRAPHQL}`),
  'an upload': (round) => {
    const parts = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\neagle ${round}\r\n--x--\r\n`;
    return post('/api/ingest/documents/local/upload', 'multipart/form-data; boundary=x', parts);
  },
  'a validation': () => post('/api/graph/knowledge/shacl', 'text/turtle', SHAPES),
  'a graph': () => post('/api/graph/knowledge/upload', 'text/turtle', '<urn:a> a <urn:B> .'),
};

it.each(Object.keys(OPERATIONS))('leaves nothing at the signal of its connection: %s', async (name) => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const statuses = new Set<number | undefined>();
  for (let round = 0; round < REQUESTS; round++) statuses.add(await OPERATIONS[name]?.(round));
  // Warnings are told in a turn of their own.
  await new Promise(setImmediate);
  process.off('warning', warn);
  expect(warnings).toEqual([]);
  const expected = { 'a document': 404, 'an upload': 202 }[name] ?? 200;
  expect([...statuses]).toEqual([expected]);
});
