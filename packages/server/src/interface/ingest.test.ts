import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createMemoryEventLog } from '@cairn/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const APOLLO = path.join(import.meta.dirname, '../../../../test-fixtures/apollo/documents');
const UPLOAD = '/api/ingest/documents/local/upload';

let server: TestServer;
beforeAll(async () => {
  const routes = [
    {
      name: 'local',
      topic: 'document.extractrequest',
      namespace: 'https://example.org/documents/',
      securityLabel: null,
      maxDocumentBytes: 100_000,
      maxFiles: 100,
      headers: [{ name: 'Owner', defaultValue: 'Platform', priority: 'CONFIGURATION' as const }],
    },
  ];
  server = await startTestServer({ ...TEST_CONFIGURATION, routes });
});
afterAll(() => server.server.close());

describe('POST /documents/{route}/upload', () => {
  it('takes a PDF, an HTML page and a text; a viewer finds each, another none', async () => {
    const response = await server.upload('alice', 'clearance=S & nationality=GBR', {
      'landing.pdf': readFileSync(path.join(APOLLO, 'apollo-11-landing.pdf')),
      'lightning.html': readFileSync(path.join(APOLLO, 'apollo-12-lightning.html')),
      'note.txt': 'A zebra crossing.',
    });
    const { documents } = (await response.json()) as Loose;
    expect([response.status, documents.map(({ successful, filename }: Loose) => [successful, filename])]).toEqual([
      202,
      [
        [true, 'landing.pdf'],
        [true, 'lightning.html'],
        [true, 'note.txt'],
      ],
    ]);
    for (const { id, status } of documents)
      expect([id, status]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringContaining('local')]);
    for (const query of ['landing', 'lightning', 'zebra']) {
      const where = `/api/search/documents?query=${query}&indices=doc-content`;
      await eventually(async () => ((await server.get('alice', where)).results.length > 0 ? true : undefined));
      expect((await server.get('dieter', where)).results).toEqual([]);
    }
  });

  it('answers ids by which each document is found, as by its IRI, by those who may see it alone', async () => {
    const ids: string[] = [];
    for (const [label, text] of [
      ['*', 'A kestrel for all.'],
      ['clearance=TS', 'A kestrel for few.'],
    ] as const) {
      const response = await server.upload('alice', label, { 'kestrel.txt': text });
      ids.push(((await response.json()) as Loose).documents[0].id);
    }
    const [open, secret] = ids as [string, string];
    const iriOf = (id: string): string => `https://example.org/documents/${id}`;
    const where = (id: string): string => `/api/search/documents/${encodeURIComponent(id)}`;
    const known = await eventually(async () => {
      const response = await server.send('alice', where(iriOf(secret)));
      return response.status === 200 ? response.json() : undefined;
    });
    expect(await server.get('alice', where(secret))).toEqual(known);
    expect(await server.get('alice', where(secret.toUpperCase()))).toEqual(known);
    const nowhere = open.replace(/^.{8}/, '00000000');
    for (const hidden of [secret, iriOf(secret)]) {
      const [refused, missing] = [
        await server.send('dieter', where(hidden)),
        await server.send('dieter', where(nowhere)),
      ];
      expect([refused.status, missing.status]).toEqual([404, 404]);
      const detailOf = async (answer: Response): Promise<string> => ((await answer.json()) as Loose).detail;
      expect(await detailOf(refused)).toBe(await detailOf(missing));
    }
    const asked = [open, iriOf(open), secret, nowhere];
    const query = asked.map((id) => `id=${encodeURIComponent(id)}`).join('&');
    const list = await server.get('dieter', `/api/search/list?${query}`);
    expect(Object.keys(list)).toEqual(asked);
    expect([list[open], list[secret], list[nowhere]]).toEqual([list[iriOf(open)], null, null]);
    expect(list[open]).toMatchObject({ uri: iriOf(open) });
    expect((await server.get('alice', `/api/search/list?${query}`))[secret]).toEqual(known);
    expect(await server.get('dieter', `/api/search/states?${query}`)).toEqual(
      Object.fromEntries(asked.map((id) => [id, null])),
    );
  });

  it('names the same upload the same, and another label another document', async () => {
    const idOf = async (label: string): Promise<string> =>
      ((await (await server.upload('alice', label, { 'a.txt': 'same' })).json()) as Loose).documents[0].id;
    expect(await idOf('clearance=S')).toBe(await idOf('clearance=S'));
    expect(await idOf('clearance=TS')).not.toBe(await idOf('clearance=S'));
  });

  it('answers 400 with the reason when a document is too large, and keeps the others', async () => {
    const response = await server.upload('alice', '*', { 'big.txt': 'x'.repeat(100_001), 'small.txt': 'giraffe' });
    const { documents } = (await response.json()) as Loose;
    expect(response.status).toBe(400);
    expect(documents[0]).toMatchObject({
      successful: false,
      filename: 'big.txt',
      status: expect.stringContaining('100000'),
    });
    expect(documents[1]).toMatchObject({ successful: true, filename: 'small.txt' });
    await eventually(async () =>
      (await server.get('dieter', '/api/search/documents?query=giraffe')).results.length > 0 ? true : undefined,
    );
  });

  it('refuses a file whose name is too long, and takes the others', async () => {
    for (const length of [256, 1_025, 9_000]) {
      const files = { [`${'n'.repeat(length)}.txt`]: 'long', 'short.txt': `taken beside ${length}` };
      const response = await server.upload('alice', '*', files);
      const { documents } = (await response.json()) as Loose;
      expect(response.status).toBe(400);
      expect(documents).toMatchObject([
        { successful: false, status: expect.stringContaining(`at most 255 characters; got ${length + 4}`) },
        { successful: true, filename: 'short.txt' },
      ]);
    }
  });

  it('takes as many files as its route allows, refuses some more one by one, and many more as a whole', async () => {
    const route = { name: 'many', topic: 'document.extractrequest', namespace: 'https://example.org/many/' };
    const other = await startTestServer({ ...TEST_CONFIGURATION, routes: [{ ...route, maxFiles: 1000 }] });
    const uploadOf = (count: number): Promise<Response> => {
      const names = Array.from({ length: count }, (_, n) => `${n}.txt`);
      const form = new FormData();
      for (const name of names) form.append('file', new Blob([`many ${name}`]), name);
      const init = { method: 'POST', body: form, headers: { 'Security-Label': '*' } };
      return other.send('alice', '/api/ingest/documents/many/upload', init);
    };
    const taken = await uploadOf(1000);
    expect([taken.status, ((await taken.json()) as Loose).documents.length]).toEqual([202, 1000]);
    const some = (await (await uploadOf(1002)).json()) as Loose;
    expect(some.documents.filter(({ successful }: Loose) => !successful)).toMatchObject([
      { filename: '1000.txt', status: 'Refused: an upload has at most 1000 files' },
      { filename: '1001.txt' },
    ]);
    expect((await uploadOf(1101)).status).toBe(413);
    await other.server.close();
  });

  it.each([
    [{}, 'Security-Label is required'],
    [{ 'Security-Label': 'clearance &' }, 'malformed'],
    [{ 'Security-Label': 'nationality=USA' }, 'may read'],
    [{ 'Security-Label': '*', 'Policy-Information': '{"x":1}' }, ''],
  ])('answers 400 for the headers %j', async (headers, detail) => {
    const body = new FormData();
    body.append('file', new Blob(['text']), 'a.txt');
    const response = await server.send('alice', UPLOAD, { method: 'POST', body, headers });
    const answer = (await response.json()) as Loose;
    expect([response.status, answer.documents]).toEqual([400, []]);
    expect(answer.detail).toContain(detail);
  });

  it.each(['text/plain', 'multipart/mixed; boundary=b', 'multipart', undefined])(
    'answers 415 for a body of the type %s',
    async (type) => {
      const headers = { 'Security-Label': '*', ...(type !== undefined && { 'Content-Type': type }) };
      const body = new Uint8Array([120]);
      const response = await server.send('alice', UPLOAD, { method: 'POST', body, headers });
      const { code, detail } = (await response.json()) as Loose;
      expect([response.status, code]).toEqual([415, 'ERR_MEDIA_TYPE']);
      expect(detail).toContain('multipart/form-data');
    },
  );

  it('answers 400 for a body without a boundary or a file', async () => {
    const headers = { 'Security-Label': '*', 'Content-Type': 'multipart/form-data' };
    expect((await server.send('alice', UPLOAD, { method: 'POST', body: 'x', headers })).status).toBe(400);
    expect(
      (await server.send('alice', UPLOAD, { method: 'POST', body: new FormData(), headers: { 'Security-Label': '*' } }))
        .status,
    ).toBe(400);
  });

  it('answers 404 for an unknown route, 401 without a user, 403 without the permission', async () => {
    const post = (user: string | undefined, route: string): Promise<Response> =>
      server.send(user, `/api/ingest/documents/${route}/upload`, { method: 'POST', body: new FormData() });
    expect((await post('alice', '__proto__')).status).toBe(404);
    expect((await post(undefined, 'local')).status).toBe(401);
    expect((await post('reader', 'local')).status).toBe(403);
  });
});

describe('the headers of an upload', () => {
  it('go with each document onto the topic of the route and through the pipeline', async () => {
    const log = createMemoryEventLog({ nowMs: Date.now });
    const own = await startTestServer(TEST_CONFIGURATION, undefined, { log });
    const body = new FormData();
    body.append('file', new Blob(['an okapi']), 'a.txt');
    const headers = {
      'Security-Label': 'clearance=O',
      'Request-ID': 'request-1',
      'Distribution-Id': 'distribution-1',
      'Policy-Information': '{"EDH": {"classification": "O", "permittedNats": [], "permittedOrgs": []}}',
    };
    expect((await own.send('alice', UPLOAD, { method: 'POST', body, headers })).status).toBe(202);
    await eventually(() => log.end('document.entities'));
    for (const topic of ['document.extractrequest', 'document.textandmetadata', 'document.entities']) {
      for await (const [event] of log.read(topic)) {
        expect([topic, event?.headers.get('distribution-id')]).toEqual([topic, 'distribution-1']);
        expect(event?.headers.get('policy-information')).toContain('EDH');
        expect(event?.headers.get('security-label')).toContain('clearance=O');
        break;
      }
    }
    for await (const [event] of log.read('document.extractrequest')) {
      expect(event?.headers.get('request-id')).toContain('request-1');
      break;
    }
    await own.server.close();
  });
});

describe('GET /healthz and /version-info of the ingester', () => {
  it('shows the configuration of each route', async () => {
    const response = await server.send(undefined, '/api/ingest/healthz');
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        healthy: true,
        config: {
          local: {
            name: 'local',
            topic: 'document.extractrequest',
            namespace: 'https://example.org/documents/',
            securityLabel: null,
            headers: [{ name: 'Owner', defaultValue: 'Platform', priority: 'CONFIGURATION' }],
          },
        },
      },
    ]);
  });

  it('shows the components of the interface', async () => {
    const versions = await (await server.send(undefined, '/api/ingest/version-info')).json();
    expect(Object.keys(versions as object)).toEqual([
      'http-ingester',
      'projectors-core',
      'routes-api',
      'jaxrs-base-server',
      'event-source-memory',
    ]);
  });
});
