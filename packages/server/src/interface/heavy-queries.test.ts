import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
/** Joins everything with everything: more than any time limit. */
const ENDLESS = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d && ?c != ?i) }';

let server: TestServer;
/** The same with a time limit that is reached soon. What must end well before is asked of the other. */
let limited: TestServer;
beforeAll(async () => {
  server = await startFilled(600_000);
  limited = await startFilled(1_000);
});
afterAll(() => Promise.all([server.server.close(), limited.server.close()]));

async function startFilled(timeLimitMs: number): Promise<TestServer> {
  const started = await startTestServer({ ...TEST_CONFIGURATION, graph: { shortQueryMs: 5, timeLimitMs } });
  for (const [label, name] of [
    ['*', 'open'],
    ['clearance=TS', 'secret'],
  ] as const) {
    const triples = Array.from({ length: 300 }, (_, i) => `<urn:${name}:${i}> <urn:p:${i % 7}> ${i}`).join(' . ');
    expect((await started.update('alice', label, `INSERT DATA { ${triples} }`)).status).toBe(200);
  }
  return started;
}

function ask(query: string, user: string, init?: RequestInit, of = server): Promise<Response> {
  return of.send(user, `/api/graph/knowledge/query?query=${encodeURIComponent(query)}`, init);
}

/**
 * Asks others' questions beside long work where no limit is near, and gives how the same work ends where one is: neither
 * depends on how busy the machine is.
 */
async function endsAtLimitBesideOthers(
  work: (of: TestServer, init?: RequestInit) => Promise<Response>,
): Promise<Response> {
  const stop = new AbortController();
  let isSettled = false;
  const beside = work(server, { signal: stop.signal }).then(
    () => undefined,
    () => undefined,
  );
  void beside.then(() => {
    isSettled = true;
  });
  for (let i = 0; i < 5; i++) expect((await ask('ASK { ?s ?p 1 }', 'dieter')).status).toBe(200);
  expect(isSettled, 'the long work goes on while others are answered').toBe(false);
  stop.abort();
  await beside;
  return work(limited);
}

/** A query that is long enough for a worker, and ends. */
const LONG = `${COUNT.slice(0, -1)} . ?a ?b ?c FILTER(STRLEN(STR(?s)) + STRLEN(STR(?a)) > 0) }`;

async function count(response: Response): Promise<number> {
  const { results } = (await response.json()) as Loose;
  return Number(results.bindings[0].n.value);
}

describe('a query that takes long', () => {
  it('counts only what the viewer may see, as a short one does', async () => {
    expect(await count(await ask(COUNT, 'dieter'))).toBe(300);
    expect(await count(await ask(LONG, 'dieter'))).toBe(300 * 300);
    expect(await count(await ask(LONG, 'alice'))).toBe(600 * 600);
  });

  it('sees what was written before it', async () => {
    const before = await count(await ask(LONG, 'dieter'));
    await server.update('alice', '*', 'INSERT DATA { <urn:new> <urn:p> "é" }');
    expect(await count(await ask(LONG, 'dieter'))).toBe((Math.sqrt(before) + 1) ** 2);
  });

  it('is answered in the format that Accept prefers', async () => {
    const response = await ask(LONG, 'dieter', { headers: { Accept: 'text/csv' } });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await response.text()).toMatch(/^n\r\n\d+\r\n$/);
  });

  it('ends at the time limit with 503, while others are answered', async () => {
    const response = await endsAtLimitBesideOthers((of, init) => ask(ENDLESS, 'alice', init, of));
    expect([response.status, ((await response.json()) as Loose).code]).toEqual([503, 'ERR_TIME_LIMIT']);
  });

  it('keeps nobody waiting whose client has left', async () => {
    const stop = new AbortController();
    const left = ask(ENDLESS, 'alice', { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(left).rejects.toThrow(/abort/i);
    expect(await count(await ask(LONG, 'dieter'))).toBeGreaterThan(0);
  });

  it('of a very long text is refused with the position of its fault', async () => {
    const response = await server.send('alice', '/api/graph/knowledge/query', {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-query' },
      body: `SELECT * { # ${'long '.repeat(10_000)}\n ?s ?p }`,
    });
    const problem = (await response.json()) as Loose;
    expect([response.status, problem.code, problem.position.line]).toEqual([400, 'ERR_SPARQL_SYNTAX', 2]);
  });
});

describe('what is read of a large dataset', () => {
  const CATALOG = '/api/graph/catalog';
  const TRIPLES = 25_000;
  const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
  const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

  async function load(label: string, text: string): Promise<void> {
    const headers = { 'Content-Type': 'application/n-triples', 'Security-Label': label };
    const response = await server.send('alice', `${CATALOG}/upload`, { method: 'POST', body: text, headers });
    expect(response.status).toBe(200);
  }

  it('is the same, as far as the caller may see it: graphs, findings and styles', async () => {
    const lines = Array.from({ length: TRIPLES }, (_, i) => `<urn:s:${i}> <urn:p> "${i}" .`).join('\n');
    await load(
      '*',
      `<urn:class> <${RDF}type> <http://www.w3.org/2002/07/owl#Class> .\n<urn:class> <${NAME}> "A class" .`,
    );
    const small = await server.get('dieter', `${CATALOG}/styles`);
    expect(small.styles.map(({ classUri }: Loose) => classUri)).toEqual(['urn:class']);
    const findings = await server.get('dieter', `${CATALOG}/findings`);
    await load('*', lines);
    await load('clearance=TS', '<urn:hidden> <urn:p> "hidden" .');
    expect(await server.get('dieter', `${CATALOG}/styles`)).toEqual(small);
    expect((await server.get('dieter', `${CATALOG}/findings`)).findings).toEqual(
      expect.arrayContaining(findings.findings),
    );
    const graph = async (user: string): Promise<string[]> => {
      const headers = { Accept: 'application/n-triples' };
      const response = await server.send(user, `${CATALOG}/data?default`, { headers });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/n-triples']);
      return (await response.text()).trim().split('\n');
    };
    expect(await graph('dieter')).toHaveLength(TRIPLES + 2);
    expect((await graph('alice')).filter((line) => line.includes('hidden'))).toHaveLength(1);
    const whole = await server.send('dieter', `${CATALOG}/data`, { headers: { Accept: 'application/n-quads' } });
    expect((await whole.text()).trim().split('\n')).toHaveLength(TRIPLES + 2);
  }, 60_000);

  it('is validated as far as the caller may see it, by shapes with the prefixes of the body', async () => {
    const shapes = `@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix u: <urn:> .
      u:Shape a sh:NodeShape ; sh:targetNode <urn:s:3>, <urn:s:4>, u:hidden ; sh:property [ sh:path u:p ; sh:not [ sh:in ( "hidden" "3" ) ] ] .`;
    const report = async (user: string): Promise<string> => {
      const headers = { 'Content-Type': 'text/turtle' };
      const url = `${CATALOG}/shacl?graph=default`;
      const response = await server.send(user, url, { method: 'POST', body: shapes, headers });
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')], text).toEqual([
        200,
        'text/turtle; charset=utf-8',
      ]);
      return text;
    };
    const seen = await report('dieter');
    expect([seen.match(/sh:focusNode/g), seen.includes('urn:s:3')]).toEqual([['sh:focusNode'], true]);
    expect((await report('alice')).match(/sh:focusNode/g)).toHaveLength(2);
  }, 60_000);
});

describe('a validation that takes long', () => {
  /** Every node of the chain reaches every later one. */
  const CHAIN = Array.from({ length: 20_000 }, (_, i) => `<urn:c:${i}> <urn:next> <urn:c:${i + 1}> .`).join('\n');
  const SHAPES = `@prefix sh: <http://www.w3.org/ns/shacl#> .
    <urn:Shape> a sh:NodeShape ; sh:targetSubjectsOf <urn:next> ;
      sh:property [ sh:path [ sh:zeroOrMorePath <urn:next> ] ; sh:maxCount 100000 ] .`;

  it('ends at the time limit with 503, while others are answered', async () => {
    const headers = { 'Content-Type': 'text/turtle' };
    const body = `${SHAPES}\n${CHAIN}`;
    const sent = { method: 'POST', body, headers };
    const response = await endsAtLimitBesideOthers((of, init) =>
      of.send('alice', '/api/graph/knowledge/shacl', { ...sent, ...init }),
    );
    expect([response.status, ((await response.json()) as Loose).code]).toEqual([503, 'ERR_TIME_LIMIT']);
  }, 60_000);
});

describe('heavy work of one user', () => {
  /** Each shape looks at the next ones several times: one focus node takes longer than any time limit. */
  const NESTED = `@prefix : <urn:> . @prefix sh: <http://www.w3.org/ns/shacl#> . :S0 sh:targetNode :x . :S30 sh:class :C .
    ${Array.from({ length: 30 }, (_, i) => `:S${i} sh:xone ( :S${i + 1} :T${i} ) . :T${i} sh:or ( :S${i + 1} :S${i + 1} ) .`).join(' ')}`;
  const validate = (init?: RequestInit): Promise<Response> =>
    server.send('alice', '/api/graph/knowledge/shacl', {
      ...{ method: 'POST', body: NESTED, headers: { 'Content-Type': 'text/turtle' } },
      ...init,
    });

  it('leaves places and turns to the queries of another', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const refused: string[] = [];
    const sent = Array.from({ length: 60 }, async (_, i) => {
      const response = await (i < 4 ? validate({ signal }) : ask(ENDLESS, 'alice', { signal }));
      refused.push(((await response.json()) as Loose).code);
    });
    await expect.poll(() => refused.length, { timeout: 50_000 }).toBe(60 - 48);
    expect(await count(await ask(LONG, 'dieter'))).toBeGreaterThan(0);
    stop.abort();
    await Promise.allSettled(sent);
    expect(new Set(refused)).toEqual(new Set(['ERR_USER_BUSY']));
  }, 60_000);
});
