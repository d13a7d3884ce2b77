import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, startTestServer, type TestServer } from '../testing/server.ts';

const EX = 'https://example.org/id/';
const DATA = '/api/graph/catalog/data';
const SECRET = 'clearance=TS';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.server.close());

const named = (name: string): string => `?graph=${encodeURIComponent(EX + name)}`;
const triple = (name: string): string => `<${EX}${name}> <${EX}p> "${name}" .`;

interface Sent {
  readonly user?: string;
  readonly label?: string;
  readonly body?: string;
  readonly type?: string;
  readonly path?: string;
}

function send(method: string, query: string, sent: Sent = {}): Promise<Response> {
  const { user = 'alice', label = '*', body, type = 'text/turtle', path = DATA } = sent;
  const headers = { 'Content-Type': type, 'Security-Label': label, Accept: 'application/n-triples, */*;q=0.1' };
  return server.send(user, path + query, { method, headers, ...(body !== undefined && { body }) });
}

async function statusOf(...request: Parameters<typeof send>): Promise<number> {
  const response = await send(...request);
  await response.arrayBuffer();
  return response.status;
}

async function codeOf(...request: Parameters<typeof send>): Promise<[number, string]> {
  const response = await send(...request);
  return [response.status, ((await response.json()) as Loose).code];
}

async function linesOf(query: string, user = 'alice'): Promise<string[]> {
  const response = await send('GET', query, { user });
  const text = await response.text();
  return response.status === 200 ? text.trim().split('\n').sort() : [`${response.status}`];
}

describe('the graph store', () => {
  it('creates a graph by POST and adds to it', async () => {
    const graph = named('posted');
    expect(await statusOf('POST', graph, { body: triple('a') })).toBe(201);
    const again = await send('POST', graph, { body: triple('b') });
    expect([again.status, again.headers.has('Cairn-Position')]).toEqual([200, true]);
    expect(await linesOf(graph)).toEqual([triple('a'), triple('b')]);
    expect(await statusOf('POST', '?default', { body: triple('c') })).toBe(200);
    expect(await linesOf('?default')).toContain(triple('c'));
  });

  it('gives a POST without a graph a new one, and says its name', async () => {
    const [first, second] = [await send('POST', '', { body: triple('a') }), await send('POST', '', { body: '' })];
    const [one, other] = [first, second].map(({ headers }) => headers.get('Location'));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(one).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(one).not.toBe(other);
    expect(await linesOf(`?graph=${one}`)).toEqual([triple('a')]);
  });

  it('replaces by PUT what its sender sees, and nothing else', async () => {
    const graph = named('put');
    expect(await statusOf('PUT', graph, { body: triple('covert'), label: SECRET })).toBe(201);
    expect(await statusOf('PUT', graph, { body: triple('old'), user: 'dieter' })).toBe(201);
    expect(await statusOf('PUT', graph, { body: `${triple('new')} [] <${EX}p> 1 .`, user: 'dieter' })).toBe(200);
    const seen = await linesOf(graph, 'dieter');
    expect([seen.length, seen.includes(triple('new')), seen.includes(triple('old'))]).toEqual([2, true, false]);
    expect(await linesOf(graph)).toEqual([...seen, triple('covert')].sort());
    expect(await statusOf('PUT', graph, { body: '', user: 'dieter' })).toBe(200);
    expect(await linesOf(graph, 'dieter')).toEqual(['404']);
    expect(await linesOf(graph)).toEqual([triple('covert')]);
  });

  it('keeps what a PUT says again', async () => {
    const graph = named('again');
    for (const status of [201, 200, 200])
      expect(await statusOf('PUT', graph, { body: `${triple('a')} ${triple('b')}` })).toBe(status);
    expect(await linesOf(graph)).toEqual([triple('a'), triple('b')]);
  });

  it('removes by DELETE what its sender sees, and finds nothing where that is nothing', async () => {
    const graph = named('deleted');
    await statusOf('POST', graph, { body: triple('covert'), label: SECRET });
    expect(await codeOf('DELETE', graph, { user: 'dieter' })).toEqual([404, 'ERR_NO_GRAPH']);
    await statusOf('POST', graph, { body: triple('open') });
    expect(await statusOf('DELETE', graph, { user: 'dieter' })).toBe(200);
    expect(await linesOf(graph)).toEqual([triple('covert')]);
    expect([await statusOf('DELETE', graph), await statusOf('DELETE', graph)]).toEqual([200, 404]);
    await statusOf('POST', '?default', { body: triple('d') });
    expect([await statusOf('DELETE', '?default'), await statusOf('DELETE', '?default')]).toEqual([200, 200]);
    expect(await linesOf('?default')).toEqual(['']);
  });

  it('answers as if what its sender may not see were not there', async () => {
    const [bare, layered] = [named('bare'), named('layered')];
    await statusOf('POST', layered, { body: `${triple('a')} ${triple('covert')}`, label: SECRET });
    const walk: readonly (readonly [method: string, sent: Sent])[] = [
      ['HEAD', {}],
      ['DELETE', {}],
      ['PUT', { body: '' }],
      ['POST', { body: '' }],
      ['POST', { body: triple('a') }],
      ['POST', { body: triple('b') }],
      ['PUT', { body: triple('c') }],
      ['GET', {}],
      ['DELETE', {}],
      ['PUT', { body: triple('a') }],
      ['DELETE', {}],
      ['DELETE', {}],
      ['GET', {}],
    ];
    const answersIn = async (graph: string): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for (const [method, sent] of walk) {
        const response = await send(method, graph, { ...sent, user: 'dieter' });
        answers.push([method, response.status, response.headers.get('Location'), await response.text()]);
      }
      return answers;
    };
    expect(await answersIn(layered)).toEqual(await answersIn(bare));
    expect(await linesOf(layered)).toEqual([triple('a'), triple('covert')]);
  });

  it('says when its sender cannot see what was added, and creates nothing then', async () => {
    const answers = [
      await send('POST', named('blind'), { body: triple('a'), label: '' }),
      await send('PUT', named('blind'), { body: triple('a'), label: '' }),
    ];
    for (const { status, headers } of answers) expect([status, headers.has('Cairn-Warning')]).toEqual([200, true]);
  });

  it('reads relative IRIs against the graph, in the default graph against the endpoint', async () => {
    const body = `<x> <${EX}p> "x" .`;
    await statusOf('PUT', named('base/doc'), { body });
    expect(await linesOf(named('base/doc'))).toEqual([`<${EX}base/x> <${EX}p> "x" .`]);
    await statusOf('PUT', '?default', { body });
    expect(await linesOf('?default')).toEqual([`<${server.url}/api/graph/catalog/x> <${EX}p> "x" .`]);
  });

  it('gives what a label graph names its label, by POST and by PUT', async () => {
    const rules = `PREFIX sec: <http://telicent.io/security#> sec:labels { [] sec:pattern "<${EX}covert> _ _" ; sec:label "${SECRET}" }`;
    for (const method of ['POST', 'PUT']) {
      const graph = named(`labelled-${method}`);
      const body = `${triple('open')} ${triple('covert')} ${rules}`;
      expect(await statusOf(method, graph, { body, type: 'application/trig' })).toBe(201);
      expect(await linesOf(graph, 'dieter')).toEqual([triple('open')]);
      expect(await linesOf(graph)).toEqual([triple('covert'), triple('open')]);
      expect(await codeOf(method, graph, { body, type: 'application/trig', user: 'dieter' })).toEqual([
        400,
        'ERR_SECURITY_LABEL',
      ]);
    }
  });

  it('answers HEAD as GET, without the triples', async () => {
    await statusOf('PUT', named('head'), { body: triple('a') });
    const response = await send('HEAD', named('head'));
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/n-triples',
      '',
    ]);
    expect(await statusOf('HEAD', named('nowhere'))).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE'])('refuses a %s that it cannot do, and changes nothing', async (method) => {
    const graph = named(`kept-${method}`);
    await statusOf('PUT', graph, { body: triple('kept') });
    const body = method === 'DELETE' ? {} : { body: triple('new') };
    expect(await codeOf(method, `${graph}&default`, body)).toEqual([400, 'ERR_PARAMETER']);
    expect(await codeOf(method, '?graph=', body)).toEqual([400, 'ERR_PARAMETER']);
    expect(await codeOf(method, '?graph=relative', body)).toEqual([400, 'ERR_IRI']);
    if (method !== 'POST') expect(await codeOf(method, '', body)).toEqual([400, 'ERR_PARAMETER']);
    const path = '/api/graph/knowledge/data';
    expect(await codeOf(method, graph, { ...body, path, user: 'reader' })).toEqual([403, 'ERR_PERMISSION']);
    if (method !== 'DELETE') {
      const quads = { body: `<${EX}other> { ${triple('new')} }`, type: 'application/trig' };
      expect(await codeOf(method, graph, quads)).toEqual([400, 'ERR_RDF_TARGET']);
      expect(await codeOf(method, graph, { body: '<a' })).toEqual([400, 'ERR_RDF_SYNTAX']);
      expect(await codeOf(method, graph, { ...body, type: 'text/csv' })).toEqual([415, 'ERR_MEDIA_TYPE']);
      expect(await codeOf(method, graph, { ...body, label: SECRET, user: 'dieter' })).toEqual([
        400,
        'ERR_SECURITY_LABEL',
      ]);
    }
    expect(await linesOf(graph)).toEqual([triple('kept')]);
  });
});
