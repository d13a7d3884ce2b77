import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { type ProtocolRequest, readProtocolTests } from '../testing/w3c-protocol-manifest.ts';

const suites = process.env['W3C_SUITES'];
const ENDPOINT = '/api/graph/knowledge/sparql';
const CONFIGURATION = { ...TEST_CONFIGURATION, datasets: { knowledge: { defaultLabel: '*' } } };

const FORMATS: Readonly<Record<string, RegExp>> = {
  boolean: /^application\/sparql-results\+(json|xml)/,
  tabular: /^(application\/sparql-results\+(json|xml)|text\/(csv|tab-separated-values))/,
  RDF: /^(text\/turtle|application\/(rdf\+xml|n-triples|ld\+json))/,
};

describe('the SPARQL 1.1 protocol tests of the W3C, through the combined endpoint', async () => {
  if (suites === undefined) {
    it('are NOT run: set W3C_SUITES to the folder that holds sparql11', () => {
      console.warn('W3C SPARQL protocol: not run, for W3C_SUITES is not set');
    });
    return;
  }
  const folder = path.join(suites, 'sparql11', 'protocol');
  if (!existsSync(folder)) throw new Error('W3C_SUITES has no folder sparql11/protocol');
  const tests = await readProtocolTests(folder);
  it('are 34', () => expect(tests).toHaveLength(34));
  it.each(tests)('$name', async ({ graphs, requests }) => {
    const server = await startTestServer(CONFIGURATION);
    try {
      for (const { name, file } of graphs) await load(server, name, file);
      for (const request of requests) await check(server, request);
    } finally {
      await server.server.close();
    }
  });
});

async function load(server: TestServer, graph: string, file: string): Promise<void> {
  const triples = readFileSync(fileURLToPath(file), 'utf8');
  const response = await server.update('alice', '*', `INSERT DATA { GRAPH <${graph}> { ${triples} } }`);
  expect(response.status).toBe(200);
}

async function check(server: TestServer, request: ProtocolRequest): Promise<void> {
  const target = request.target.replace(/^\/sparql\/?/, ENDPOINT);
  const { method, headers, body } = request;
  const response = await server.send('alice', target, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  });
  const text = await response.text();
  expect(request.statuses, `${response.status} ${text}`).toContain(`StatusCode${Math.floor(response.status / 100)}xx`);
  if (request.format !== undefined)
    expect(response.headers.get('content-type')).toMatch(FORMATS[request.format] as RegExp);
  if (request.boolean !== undefined) expect(JSON.parse(text).boolean).toBe(request.boolean);
}
