import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const SHACL = '/api/graph/knowledge/shacl';
const APOLLO = path.join(import.meta.dirname, '../../../../test-fixtures/apollo');
const SHAPES = `
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <https://example.org/> .
ex:NamedShape a sh:NodeShape ; sh:targetClass ex:Thing ; sh:property [ sh:path ex:name ; sh:minCount 1 ] .
`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const thing = (id: string): string => `INSERT DATA { <https://example.org/${id}> a <https://example.org/Thing> }`;
  const named =
    'INSERT DATA { <https://example.org/named> a <https://example.org/Thing> ; <https://example.org/name> "N" }';
  expect((await server.update('alice', '*', named)).status).toBe(200);
  expect((await server.update('alice', '*', thing('open'))).status).toBe(200);
  expect((await server.update('alice', 'clearance=TS', thing('secret'))).status).toBe(200);
});
afterAll(() => server.server.close());

async function validate(user: string, body: string, query = '', accept = 'text/turtle'): Promise<[number, string]> {
  const headers = { 'Content-Type': 'text/turtle', Accept: accept };
  const response = await server.send(user, `${SHACL}${query}`, { method: 'POST', body, headers });
  return [response.status, await response.text()];
}

describe('POST /{dataset}/shacl', () => {
  it('validates the body against the shapes in it; what does not conform is still 200', async () => {
    const [status, report] = await validate('alice', `${SHAPES} ex:a a ex:Thing .`);
    expect([status, report]).toEqual([200, expect.stringMatching(/sh:conforms (false|"false"\^\^xsd:boolean)/)]);
    expect(report).toContain('MinCountConstraintComponent');
    expect((await validate('alice', `${SHAPES} ex:a a ex:Thing ; ex:name "A" .`))[1]).toMatch(
      /sh:conforms (true|"true"\^\^xsd:boolean)/,
    );
  });

  it('answers JSON-LD by Accept', async () => {
    const [status, report] = await validate('alice', `${SHAPES} ex:a a ex:Thing .`, '', 'application/ld+json');
    expect([status, JSON.stringify(JSON.parse(report))]).toEqual([200, expect.stringContaining('ValidationReport')]);
    expect((await validate('alice', SHAPES, '', 'text/csv'))[0]).toBe(406);
  });

  it('validates the stored graph as far as the caller sees it, or one node of it', async () => {
    const [, all] = await validate('alice', SHAPES, '?graph=default');
    expect([all.includes('secret'), all.includes('open')], all).toEqual([true, true]);
    const [, visible] = await validate('dieter', SHAPES, '?graph=default');
    expect([visible.includes('secret'), visible.includes('open')]).toEqual([false, true]);
    const [, one] = await validate('alice', SHAPES, '?graph=union&target=https%3A%2F%2Fexample.org%2Fopen');
    expect([one.includes('secret'), one.includes('open')]).toEqual([false, true]);
    expect((await validate('alice', SHAPES, '?graph=https%3A%2F%2Fexample.org%2Fnone'))[0]).toBe(404);
  });

  it('answers 400 with the position of bad Turtle, and names ill-formed shapes', async () => {
    const [status, problem] = await validate('alice', '<a');
    expect([status, (JSON.parse(problem) as Loose).code]).toEqual([400, 'ERR_RDF_SYNTAX']);
    const [illFormed, why] = await validate('alice', SHAPES.replace('minCount 1', 'minCount "many"'));
    expect([illFormed, (JSON.parse(why) as Loose).code]).toEqual([400, 'ERR_SHACL_SHAPES']);
  });

  it.each([
    ['nothing', ''],
    [
      'shapes that are cut',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:sh="http://www.w3.org/ns/shacl#"><sh:NodeShape rdf:about="urn:s">',
    ],
  ])('refuses RDF/XML of %s', async (_what, body) => {
    for (const query of ['', '?graph=default']) {
      const headers = { 'Content-Type': 'application/rdf+xml' };
      const response = await server.send('alice', `${SHACL}${query}`, { method: 'POST', body, headers });
      expect([response.status, ((await response.json()) as Loose).code]).toEqual([400, 'ERR_RDF_SYNTAX']);
    }
  });

  it('answers 401, 404 and 415', async () => {
    expect((await server.send(undefined, SHACL, { method: 'POST', body: '' })).status).toBe(401);
    expect((await server.send('alice', '/api/graph/none/shacl', { method: 'POST', body: '' })).status).toBe(404);
    expect(
      (await server.send('alice', SHACL, { method: 'POST', body: '', headers: { 'Content-Type': 'text/html' } }))
        .status,
    ).toBe(415);
  });

  it('finds what breaks the shapes of the demo set', async () => {
    const [shapes, broken] = ['shapes.ttl', 'breaks-shapes.ttl'].map((file) =>
      readFileSync(path.join(APOLLO, file), 'utf8'),
    );
    const [status, report] = await validate('alice', `${shapes}\n${broken}`);
    expect([status, report]).toEqual([200, expect.stringContaining('ValidationResult')]);
  });
});
