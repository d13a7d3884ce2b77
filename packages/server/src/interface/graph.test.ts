import { parseRdf, writeQuad } from '@cairn/rdf-graph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const GRAPH = '/api/graph/knowledge';
const EX = 'https://example.org/id/';
const NAMES = 'SELECT ?name WHERE { ?s <https://example.org/id/name> ?name } ORDER BY ?name';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const open = await server.update(
    'alice',
    '*',
    `INSERT DATA { <${EX}a> <${EX}name> "open" . GRAPH <${EX}g> { <${EX}a> <${EX}p> 1 } }`,
  );
  expect([open.status, open.headers.get('cairn-position')]).toEqual([200, expect.any(String)]);
  expect((await server.update('alice', 'clearance=TS', `INSERT DATA { <${EX}b> <${EX}name> "secret" }`)).status).toBe(
    200,
  );
});
afterAll(() => server.server.close());

async function names(user: string, init: RequestInit & { readonly at?: string } = {}): Promise<string[]> {
  const response = await server.send(user, `${GRAPH}${init.at ?? `/query?query=${encodeURIComponent(NAMES)}`}`, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text).results.bindings.map(({ name }: Loose) => name.value);
}

function post(type: string, body: string, at = '/query'): RequestInit & { readonly at: string } {
  return { method: 'POST', body, headers: { 'Content-Type': type }, at };
}

/** The triples of a text as sorted lines, all blank nodes under one label. */
async function triplesIn(text: string, contentType: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const quad of parseRdf(text, { contentType })) lines.push(writeQuad(quad).replaceAll(/_:\S+/g, '_:b'));
  return lines.sort();
}

describe('GET /{dataset}/query', () => {
  it('answers each viewer from what they may see', async () => {
    expect(await names('alice')).toEqual(['open', 'secret']);
    expect(await names('dieter')).toEqual(['open']);
  });

  it.each([
    ['application/sparql-results+json', 'SELECT * {?s ?p ?o}'],
    ['application/sparql-results+xml', 'SELECT * {?s ?p ?o}'],
    ['text/csv', 'SELECT * {?s ?p ?o}'],
    ['text/tab-separated-values', 'SELECT * {?s ?p ?o}'],
    ['application/sparql-results+json', 'ASK {?s ?p ?o}'],
    ['text/turtle', 'CONSTRUCT WHERE {?s ?p ?o}'],
    ['application/n-triples', 'CONSTRUCT WHERE {?s ?p ?o}'],
  ])('answers %s to %s', async (accept, query) => {
    const response = await server.send('alice', `${GRAPH}/query?query=${encodeURIComponent(query)}`, {
      headers: { accept },
    });
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
    expect((await response.text()).length).toBeGreaterThan(0);
  });

  it('answers JSON without Accept, and 406 to what it cannot give', async () => {
    const query = encodeURIComponent('ASK {}');
    const response = await server.send('alice', `${GRAPH}/query?query=${query}`);
    expect([response.headers.get('content-type')?.split(';')[0], await response.json()]).toEqual([
      'application/sparql-results+json',
      { head: {}, boolean: true },
    ]);
    expect(
      (await server.send('alice', `${GRAPH}/query?query=${query}`, { headers: { accept: 'image/png' } })).status,
    ).toBe(406);
  });

  it('takes the dataset of the protocol', async () => {
    const query = encodeURIComponent('SELECT (STR(?o) AS ?name) { ?s ?p ?o }');
    expect(
      await names('alice', { at: `/query?query=${query}&default-graph-uri=${encodeURIComponent(`${EX}g`)}` }),
    ).toEqual(['1']);
    const named = encodeURIComponent('SELECT (STR(?o) AS ?name) { GRAPH ?g { ?s ?p ?o } }');
    expect(
      await names('alice', { at: `/query?query=${named}&named-graph-uri=${encodeURIComponent(`${EX}none`)}` }),
    ).toEqual([]);
  });

  it('refuses graphs of the protocol that are no IRIs, as the query itself does', async () => {
    const query = encodeURIComponent('ASK {}');
    for (const name of ['default-graph-uri', 'named-graph-uri']) {
      const response = await server.send('alice', `${GRAPH}/query?query=${query}&${name}=a%20b`);
      expect([response.status, ((await response.json()) as Loose).detail]).toEqual([
        400,
        expect.stringContaining('must be an IRI; got "a b"'),
      ]);
    }
    const update = { method: 'POST', body: 'DELETE WHERE { ?s <urn:none> ?o }' };
    const headers = { 'Content-Type': 'application/sparql-update' };
    for (const name of ['using-graph-uri', 'using-named-graph-uri']) {
      const response = await server.send('alice', `${GRAPH}/update?${name}=a%20b`, { ...update, headers });
      expect(response.status, name).toBe(400);
    }
  });

  it('is there as /get, /read and /sparql, and as POST in both forms', async () => {
    const query = encodeURIComponent(NAMES);
    for (const alias of ['get', 'read', 'sparql']) {
      expect(await names('dieter', { at: `/${alias}?query=${query}` })).toEqual(['open']);
      expect(await names('dieter', post('application/sparql-query', NAMES, `/${alias}`))).toEqual(['open']);
      expect(await names('dieter', post('application/x-www-form-urlencoded', `query=${query}`, `/${alias}`))).toEqual([
        'open',
      ]);
    }
    expect((await server.send('dieter', `${GRAPH}/query?query=${query}`, { method: 'HEAD' })).status).toBe(200);
    expect((await server.send(undefined, `${GRAPH}/query`, { method: 'OPTIONS' })).headers.get('allow')).toContain(
      'GET',
    );
  });

  it('answers 400 with the position of a syntax error', async () => {
    const response = await server.send(
      'alice',
      `${GRAPH}/query?query=${encodeURIComponent('SELECT * WHERE { ?s ?p }')}`,
    );
    const problem = (await response.json()) as Loose;
    expect([response.status, problem.code]).toEqual([400, 'ERR_SPARQL_SYNTAX']);
    expect(problem.position).toMatchObject({ line: 1, offset: expect.any(Number) });
  });

  it('answers 400 without a query or with two, 401 without a user, 404 for an unknown dataset', async () => {
    expect((await server.send('alice', `${GRAPH}/query?query=`)).status).toBe(400);
    expect((await server.send('alice', `${GRAPH}/query?query=%20`)).status).toBe(400);
    expect((await server.send('alice', `${GRAPH}/query?Query=ASK%7B%7D`)).status).toBe(400);
    expect((await server.send('alice', `${GRAPH}/sparql?update=CLEAR%20ALL`)).status).toBe(400);
    expect((await server.send('alice', `${GRAPH}/query?query=ASK%7B%7D&query=ASK%7B%7D`)).status).toBe(400);
    expect((await server.send(undefined, `${GRAPH}/query?query=ASK%7B%7D`)).status).toBe(401);
    expect((await server.send('alice', '/api/graph/unknown/query?query=ASK%7B%7D')).status).toBe(404);
    expect((await server.send('alice', '/api/graph/__proto__/query?query=ASK%7B%7D')).status).toBe(404);
    expect((await server.send('alice', `${GRAPH}/nothing`)).status).toBe(404);
    expect((await server.send('nobody', `${GRAPH}/query?query=ASK%7B%7D`)).status).toBe(403);
    expect((await server.send('alice', `${GRAPH}/query`, { method: 'PUT' })).status).toBe(405);
    expect(
      (
        await server.send('alice', `${GRAPH}/query`, {
          method: 'POST',
          body: 'x',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
  });
});

describe('the description of the service', () => {
  const SD = 'http://www.w3.org/ns/sparql-service-description#';
  const describeAs = async (user: string | undefined, name: string, accept?: string): Promise<Response> =>
    server.send(user, `${GRAPH}/${name}`, accept === undefined ? {} : { headers: { accept } });

  it.each(['query', 'get', 'read', 'sparql'])('is what a bare GET of /%s gives, in Turtle', async (name) => {
    const response = await describeAs('alice', name);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/turtle; charset=utf-8']);
    const triples = await triplesIn(await response.text(), 'text/turtle');
    const valuesOf = (property: string): string[] =>
      triples.flatMap((triple) => new RegExp(`<${SD}${property}> <?(.*?)>? \\.$`).exec(triple)?.[1] ?? []);
    expect(valuesOf('endpoint')).toEqual([`${server.url}${GRAPH}/${name}`]);
    expect(valuesOf('supportedLanguage')).toEqual(
      [`${SD}SPARQL11Query`, `${SD}SPARQL11Update`].slice(0, name === 'sparql' ? 2 : 1),
    );
    expect(valuesOf('resultFormat')).toContain('http://www.w3.org/ns/formats/SPARQL_Results_JSON');
    expect(valuesOf('inputFormat')).toContain('http://www.w3.org/ns/formats/RDF_XML');
    expect(valuesOf('defaultDataset')).toHaveLength(1);
  });

  it.each([
    'text/turtle',
    'application/trig',
    'application/n-triples',
    'application/n-quads',
    'application/ld+json',
    'application/rdf+xml',
  ])('is written as %s and says the same', async (accept) => {
    const response = await describeAs('alice', 'query', accept);
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, accept]);
    const turtle = await (await describeAs('alice', 'query')).text();
    expect(await triplesIn(await response.text(), accept)).toEqual(await triplesIn(turtle, 'text/turtle'));
  });

  it('is the same for everybody who may read, and nobody else gets it', async () => {
    const texts = await Promise.all(['alice', 'dieter'].map(async (user) => (await describeAs(user, 'query')).text()));
    expect(texts[0]).toBe(texts[1]);
    expect((await describeAs(undefined, 'query')).status).toBe(401);
    expect((await describeAs('nobody', 'query')).status).toBe(403);
    expect((await server.send('alice', '/api/graph/unknown/query')).status).toBe(404);
    expect((await describeAs('alice', 'query', 'application/sparql-results+json')).status).toBe(406);
  });
});

describe('POST /{dataset}/update', () => {
  it('changes dataset and search index before it answers', async () => {
    const label = 'http://www.w3.org/2000/01/rdf-schema#label';
    const insert = (name: string): string => `INSERT DATA { <${EX}walk> a <${EX}Rover> ; <${label}> "${name}" }`;
    expect((await server.update('alice', 'clearance=O', insert('Lunokhod'))).status).toBe(200);
    const found = await server.get('dieter', '/api/search/typeahead?query=lunok');
    expect(found.results.map(({ id }: Loose) => id)).toEqual([`${EX}walk`]);
    const rename = `DELETE { ?s <${label}> ?o } INSERT { ?s <${label}> "Moonwalker" } WHERE { ?s <${label}> ?o FILTER(?s = <${EX}walk>) }`;
    expect((await server.update('dieter', 'clearance=O', rename)).status).toBe(200);
    expect((await server.get('dieter', '/api/search/typeahead?query=lunok')).results).toEqual([]);
    expect((await server.get('dieter', '/api/search/typeahead?query=moonw')).results).toHaveLength(1);
  });

  it('leaves alone what its sender does not see', async () => {
    await server.update('dieter', '*', `DELETE WHERE { <${EX}b> ?p ?o }`);
    expect(await names('alice')).toContain('secret');
  });

  it('takes a form, and the combined endpoint', async () => {
    const insert = `INSERT DATA { <${EX}c> <${EX}name> "form" }`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Security-Label': '*' };
    const body = new URLSearchParams({ update: insert }).toString();
    expect((await server.send('alice', `${GRAPH}/update`, { method: 'POST', body, headers })).status).toBe(200);
    expect(await names('dieter')).toEqual(['form', 'open']);
    const remove = new URLSearchParams({ update: `DELETE DATA { <${EX}c> <${EX}name> "form" }` }).toString();
    expect((await server.send('alice', `${GRAPH}/sparql`, { method: 'POST', body: remove, headers })).status).toBe(200);
    expect(await names('dieter')).toEqual(['open']);
    expect((await server.send('reader', `${GRAPH}/sparql`, { method: 'POST', body: remove, headers })).status).toBe(
      403,
    );
    const two = `${body}&query=ASK%7B%7D`;
    expect((await server.send('alice', `${GRAPH}/sparql`, { method: 'POST', body: two, headers })).status).toBe(400);
  });

  it('puts what comes without a label under the one of the dataset', async () => {
    expect((await server.update('alice', undefined, `INSERT DATA { <${EX}d> <${EX}name> "default" }`)).status).toBe(
      200,
    );
    expect(await names('alice')).not.toContain('default');
  });

  it.each([
    ['clearance =', 'malformed'],
    ['nationality=USA', 'nationality=USA'],
  ])('answers 400 for the label %s, and names it', async (label, detail) => {
    const response = await server.update('alice', label, `INSERT DATA { <${EX}e> <${EX}name> "x" }`);
    expect([response.status, ((await response.json()) as Loose).detail]).toEqual([
      400,
      expect.stringContaining(detail),
    ]);
  });

  it('answers 400 with a position, 401, 403, 404, 405 and 415', async () => {
    const wrong = await server.update('alice', '*', 'INSERT DATA { <a> }');
    expect([wrong.status, ((await wrong.json()) as Loose).position]).toEqual([
      400,
      expect.objectContaining({ line: 1 }),
    ]);
    const headers = { 'Content-Type': 'application/sparql-update' };
    const send = (user: string | undefined, dataset: string): Promise<Response> =>
      server.send(user, `/api/graph/${dataset}/update`, { method: 'POST', body: 'CLEAR ALL', headers });
    expect((await send(undefined, 'knowledge')).status).toBe(401);
    expect((await send('reader', 'knowledge')).status).toBe(403);
    expect((await send('alice', 'unknown')).status).toBe(404);
    expect((await server.send('alice', `${GRAPH}/update?update=CLEAR%20ALL`)).status).toBe(405);
    expect(
      (
        await server.send('alice', `${GRAPH}/update`, {
          method: 'POST',
          body: 'x',
          headers: { 'Content-Type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
  });

  it('calls nobody: SERVICE and LOAD are refused', async () => {
    const service = encodeURIComponent('SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }');
    expect((await server.send('alice', `${GRAPH}/query?query=${service}`)).status).toBe(400);
    expect((await server.update('alice', '*', 'LOAD <http://127.0.0.1:9/>')).status).toBe(400);
  });
});

describe('POST /{dataset}/upload and GET /{dataset}/data', () => {
  const upload = (type: string, body: string, label = '*'): Promise<Response> =>
    server.send('alice', '/api/graph/catalog/upload', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type, 'Security-Label': label },
    });

  it('loads RDF in any syntax, which a graph store read gives back to whoever may see it', async () => {
    expect((await upload('text/turtle', `<${EX}t> <${EX}p> "turtle" .`)).status).toBe(200);
    expect((await upload('application/trig', `<${EX}g> { <${EX}t> <${EX}p> "trig" }`, 'clearance=TS')).status).toBe(
      200,
    );
    expect((await upload('application/ld+json', `{"@id":"${EX}t","${EX}p":"json-ld"}`)).status).toBe(200);
    const read = async (user: string, query: string, accept = 'application/n-triples'): Promise<[number, string]> => {
      const response = await server.send(user, `/api/graph/catalog/data${query}`, { headers: { accept } });
      return [response.status, await response.text()];
    };
    const [status, text] = await read('dieter', '?default');
    expect([
      status,
      text
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ]).toEqual([200, [`<${EX}t> <${EX}p> "json-ld" .`, `<${EX}t> <${EX}p> "turtle" .`]]);
    const graph = `?graph=${encodeURIComponent(`${EX}g`)}`;
    expect(await read('alice', graph)).toEqual([200, `<${EX}t> <${EX}p> "trig" .\n`]);
    expect((await read('dieter', graph))[0]).toBe(404);
    expect((await read('alice', '', 'application/n-quads'))[1]).toContain(`<${EX}g> .`);
    expect((await read('alice', '?default&graph=urn:x'))[0]).toBe(400);
  });

  it('puts triples into the graph that is asked for, relative to the base that is stated', async () => {
    const send = (query: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
      server.send('alice', `/api/graph/catalog/upload?${query}`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/trig', 'Security-Label': '*', ...headers },
      });
    const graph = `graph=${encodeURIComponent(`${EX}asked/é`)}`;
    const base = `base=${encodeURIComponent(`${EX}base/doc`)}`;
    expect((await send(graph, `<${EX}asked> <${EX}p> 1 .`)).status).toBe(200);
    expect((await send(`${graph}&${base}`, `<b> <${EX}p> 2 .`, { 'Content-Location': 'http://e/' })).status).toBe(200);
    expect((await send(graph, `<c> <${EX}p> 3 .`, { 'Content-Location': '/path/doc' })).status).toBe(200);
    const response = await server.send('dieter', `/api/graph/catalog/data?${graph}`, {
      headers: { accept: 'application/n-triples' },
    });
    const integer = '^^<http://www.w3.org/2001/XMLSchema#integer> .';
    expect((await response.text()).trim().split('\n').sort()).toEqual(
      [
        `<${EX}asked> <${EX}p> "1"${integer}`,
        `<${EX}base/b> <${EX}p> "2"${integer}`,
        `<${server.url}/path/c> <${EX}p> "3"${integer}`,
      ].sort(),
    );
    const codeOf = async (answer: Promise<Response>): Promise<[number, string]> => {
      const { status, code } = (await (await answer).json()) as Loose;
      return [status, code];
    };
    expect(await codeOf(send(graph, `<${EX}other> { <${EX}s> <${EX}p> 4 }`))).toEqual([400, 'ERR_RDF_TARGET']);
    for (const query of ['graph=no%20iri', 'graph=relative', 'base=relative'])
      expect(await codeOf(send(query, ''))).toEqual([400, 'ERR_IRI']);
    expect(await codeOf(send('', '', { 'Content-Location': 'a b' }))).toEqual([400, 'ERR_IRI']);
    expect(await codeOf(send('graph=', ''))).toEqual([400, 'ERR_PARAMETER']);
  });

  it('answers 400 for bad RDF, 415 for no RDF', async () => {
    expect((await upload('text/turtle', '<a')).status).toBe(400);
    expect((await upload('text/plain', 'x')).status).toBe(415);
    expect((await upload('text/turtle', '', 'nationality=USA')).status).toBe(400);
  });

  it('says where RDF/XML is wrong, whether by XML or by RDF', async () => {
    const head = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n xmlns:e="http://e/">\n';
    for (const wrong of ['<e:A></e:B>', '<e:A rdf:about="no base"/>', '<e:A rdf:ID="1"/>']) {
      const response = await upload('application/rdf+xml', `${head}${wrong}</rdf:RDF>`);
      const { code, position } = (await response.json()) as Loose;
      const column = wrong.length + 1;
      const offset = head.length + wrong.length;
      expect([response.status, code, position]).toEqual([400, 'ERR_RDF_SYNTAX', { offset, line: 3, column }]);
    }
  });

  const XML = 'application/rdf+xml';
  const NS = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="https://example.org/id/"';
  const asXml = (path: string, accept = XML): Promise<Response> =>
    server.send('alice', `/api/graph/catalog/${path}`, { headers: { accept } });
  const count = async (): Promise<string> => {
    const query = encodeURIComponent('SELECT (COUNT(*) AS ?n) { ?s ?p ?o }');
    return (await asXml(`query?query=${query}`, 'text/csv')).text();
  };

  it.each([
    ['CONSTRUCT', `query?query=${encodeURIComponent(`CONSTRUCT WHERE { <${EX}x> ?p ?o }`)}`],
    ['DESCRIBE', `query?query=${encodeURIComponent(`DESCRIBE <${EX}x>`)}`],
    ['a graph', `data?graph=${encodeURIComponent(`${EX}xml`)}`],
  ])('gives %s as RDF/XML', async (_what, path) => {
    const triple = `<${EX}x> <${EX}p> "a < b & c"@en .`;
    expect((await upload('application/trig', `${triple} <${EX}xml> { ${triple} }`)).status).toBe(200);
    const response = await asXml(path);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')], text).toEqual([200, XML]);
    expect(await triplesIn(text, XML)).toEqual([triple]);
  });

  it('answers 406 to RDF/XML of what it cannot say, and nothing before', async () => {
    const triple = `<${EX}unsayable> <${EX}1> "o" .`;
    expect((await upload('application/trig', `${triple} <${EX}unsayable> { ${triple} }`)).status).toBe(200);
    for (const path of [
      `query?query=${encodeURIComponent(`CONSTRUCT WHERE { <${EX}unsayable> ?p ?o }`)}`,
      `query?query=${encodeURIComponent(`DESCRIBE <${EX}unsayable>`)}`,
      `data?graph=${encodeURIComponent(`${EX}unsayable`)}`,
    ]) {
      const response = await asXml(path);
      expect([response.status, ((await response.json()) as Loose).code], path).toEqual([406, 'ERR_RDF_XML']);
      expect((await asXml(path, 'text/turtle')).status, path).toBe(200);
    }
  });

  it('breaks a long answer in RDF/XML off at what it cannot say, so that it is no document', async () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `<${EX}a${i}> <${EX}p> "${i}" <${EX}long> .`);
    const body = `${lines.join('\n')}\n<${EX}z> <${EX}1> "o" <${EX}long> .\n`;
    expect((await upload('application/n-quads', body)).status).toBe(200);
    const response = await asXml(`data?graph=${encodeURIComponent(`${EX}long`)}`);
    const outcome = await response.text().then(
      () => 'whole',
      () => 'cut',
    );
    expect([response.status, outcome]).toEqual([200, 'cut']);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a declaration', '<?xml version="1.0"?>'],
    ['an element that is not closed', `<rdf:RDF ${NS}><rdf:Description rdf:about="urn:x" e:p="1"/>`],
    ['a text that is cut', `<rdf:RDF ${NS}><rdf:Description rdf:about="urn:x"><e:p>o`],
    ['a tag that is cut', `<rdf:RDF ${NS}><rdf:Description rdf:about="urn:x" e:p="1"/></rdf:RD`],
  ])('refuses RDF/XML of %s, and adds nothing of it', async (_what, body) => {
    const before = await count();
    const response = await upload(XML, body);
    expect([response.status, ((await response.json()) as Loose).code]).toEqual([400, 'ERR_RDF_SYNTAX']);
    expect(await count()).toBe(before);
  });

  it('applies a patch whose headers name it by whatever IRI', async () => {
    const headers = ['id <1b2c3d4e-0000>', 'prev <a/b?c#d>', 'id <>', 'x <urn:uuid:1>', 'y "text"', 'z <_:b1>'];
    const patch = `${headers.map((header) => `H ${header} .`).join('\n')}
TX .
A <${EX}patched> <${EX}p> "patched" .
TC .
`;
    expect((await server.upload('alice', '*', { 'odd.rdfp': patch })).status).toBe(202);
    const query = encodeURIComponent(`ASK { <${EX}patched> <${EX}p> "patched" }`);
    const applied = await eventually(async () =>
      (await server.get('alice', `${GRAPH}/query?query=${query}`)).boolean ? true : undefined,
    );
    expect(applied).toBe(true);
  });
});
