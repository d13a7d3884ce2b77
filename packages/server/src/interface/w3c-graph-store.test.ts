import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseRdf } from '@cairn/rdf-graph';
import { describe, expect, it } from 'vitest';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { type ProtocolRequest, type ProtocolTest, readProtocolTests } from '../testing/w3c-protocol-manifest.ts';

const suites = process.env['W3C_SUITES'];
const CONFIGURATION = { ...TEST_CONFIGURATION, datasets: { knowledge: { defaultLabel: '*' } } };
const STATUSES: Readonly<Record<string, number>> = { OK: 200, Created: 201, NoContent: 204, NotFound: 404 };

const sendsForm = ({ requests }: ProtocolTest): boolean =>
  requests.some(({ headers }) => headers['content-type']?.startsWith('multipart/form-data'));

describe('the tests of the Graph Store Protocol of the W3C that name graphs by a parameter', async () => {
  if (suites === undefined) {
    it('are NOT run: set W3C_SUITES to the folder that holds sparql11', () => {
      console.warn('W3C Graph Store Protocol: not run, for W3C_SUITES is not set');
    });
    return;
  }
  const folder = path.join(suites, 'sparql11', 'graph-store-protocol');
  if (!existsSync(folder)) throw new Error('W3C_SUITES has no folder sparql11/graph-store-protocol');
  const tests = await readProtocolTests(folder, 'manifest-indirect.ttl');
  it('are 9, one of which sends a form, which is no RDF here', () => {
    expect([tests.length, tests.filter(sendsForm).length]).toEqual([9, 1]);
  });
  it.each(tests.filter((test) => !sendsForm(test)))('$name', async ({ requests }) => {
    const server = await startTestServer(CONFIGURATION);
    try {
      let location = '';
      for (const request of requests) location = (await check(server, request, location)) ?? location;
    } finally {
      await server.server.close();
    }
  });
});

/** The place that the answer names. */
async function check(server: TestServer, request: ProtocolRequest, location: string): Promise<string | undefined> {
  const target = request.target.replace(/^\/gsp/, '/api/graph/knowledge/data').replace('$LOCATION$', location);
  const { method, headers, body } = request;
  const init = { method, headers, ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }) };
  const response = await server.send('alice', target, init);
  const text = await response.text();
  const allowed = request.statuses.map((name) => STATUSES[name]);
  expect(allowed, `${method} ${target}: ${response.status} ${text}`).toContain(response.status);
  if (request.answer !== undefined) expect(await triplesIn(text)).toEqual(await triplesIn(request.answer));
  const named = response.headers.get('location') ?? undefined;
  if (request.location !== undefined) expect(named).toBeDefined();
  return named;
}

/** Triples in order, with all blank nodes alike. */
async function triplesIn(turtle: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { subject, predicate, object } of parseRdf([turtle], { contentType: 'text/turtle' })) {
    const terms = [subject, predicate, object].map((term) => (term.termType === 'BlankNode' ? '_' : term.value));
    lines.push(terms.join(' '));
  }
  return lines.sort();
}
