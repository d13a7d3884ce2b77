import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../composition/create-server.ts';
import { createFaultyDisk } from '../proofs/testing/faulty-disk.ts';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';

const FULL = { step: 'write', code: 'ENOSPC' } as const;
let home = '';
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'cairn-operations-'));
});
afterAll(() => rmSync(home, { recursive: true }));

describe('a full disk', () => {
  it('turns writes and readiness to 503 with the reason, lets reads go on, and is over without a restart', async () => {
    const disk = createFaultyDisk();
    const server = await startTestServer(TEST_CONFIGURATION, path.join(home, 'full'), { fileSystem: disk });
    const insert = (name: string): string =>
      `INSERT DATA { <urn:${name}> <http://www.w3.org/2000/01/rdf-schema#label> "${name}" }`;
    expect((await server.update('alice', '*', insert('before'))).status).toBe(200);
    disk.fault = FULL;
    const update = await server.update('alice', '*', insert('during'));
    expect([update.status, ((await update.json()) as Loose).code]).toEqual([503, 'ERR_LOG_WRITE']);
    const upload = await server.upload('alice', '*', { 'a.txt': 'text' });
    expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await server.send(undefined, '/readyz')).status).toBe(503);
    const health = await server.send(undefined, '/api/search/healthz');
    expect([health.status, ((await health.json()) as Loose).reasons]).toEqual([
      503,
      [expect.stringContaining('cannot be written')],
    ]);
    expect((await server.get('dieter', '/api/search/typeahead?query=bef')).results).toHaveLength(1);
    disk.fault = undefined;
    expect((await server.send(undefined, '/readyz')).status).toBe(200);
    expect((await server.update('alice', '*', insert('after'))).status).toBe(200);
    expect((await server.get('dieter', '/api/search/typeahead?query=during')).results).toEqual([]);
    await server.server.close();
  });

  it('lets a server start, whether it stopped in good order or the end of its log is torn, and write once there is room', async () => {
    const directory = path.join(home, 'full-start');
    const insert = (name: string): string =>
      `INSERT DATA { <urn:${name}> <http://www.w3.org/2000/01/rdf-schema#label> "${name}" }`;
    const before = await startTestServer(TEST_CONFIGURATION, directory);
    expect((await before.update('alice', '*', insert('before'))).status).toBe(200);
    await before.server.close();
    for (const isTorn of [false, true]) {
      const topic = path.join(directory, 'log/topics/knowledge');
      if (isTorn) appendFileSync(path.join(topic, readdirSync(topic).sort().at(-1) ?? ''), 'torn');
      const disk = createFaultyDisk();
      disk.fault = FULL;
      const server = await startTestServer(TEST_CONFIGURATION, directory, { fileSystem: disk });
      expect((await server.get('dieter', '/api/search/typeahead?query=bef')).results).toHaveLength(1);
      expect((await server.update('alice', '*', insert('during'))).status).toBe(503);
      expect((await server.send(undefined, '/readyz')).status).toBe(503);
      disk.fault = undefined;
      expect((await server.send(undefined, '/readyz')).status).toBe(200);
      expect((await server.update('alice', '*', insert(`after-${isTorn}`))).status).toBe(200);
      await server.server.close();
    }
    const again = await startTestServer(TEST_CONFIGURATION, directory);
    for (const name of ['bef', 'after-false', 'after-true']) {
      expect((await again.get('dieter', `/api/search/typeahead?query=${name}`)).results).toHaveLength(1);
    }
    await again.server.close();
  });
});

describe('metrics', () => {
  it('are on a loopback port of their own, with durations, lag and sizes', async () => {
    const server = await startTestServer({
      ...TEST_CONFIGURATION,
      server: { port: 0, metrics: { enabled: true, port: 0 } },
    });
    await server.update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> "c" }');
    await server.get('alice', '/api/search/documents?query=token-in-a-query');
    expect((await server.send('alice', '/metrics')).status).toBe(404);
    const text = await (await fetch(server.server.metricsUrl as string)).text();
    expect(text).toMatch(
      /cairn_http_request_duration_seconds_count\{operation="graphUpdate",method="POST",status="200"\} 1/,
    );
    expect(text).toMatch(/cairn_projector_lag_events\{topic="knowledge",group="[^"]+"\} 0/);
    expect(text).toMatch(/cairn_dataset_quads\{dataset="knowledge"\} 1/);
    expect(text).toMatch(/cairn_engine_duration_seconds_count\{engine="search",operation="search"\} 1/);
    expect(text).toMatch(/cairn_index_documents\{index="search"\} 1/);
    expect(text).toMatch(/cairn_index_bytes\{index="doc-content"\} \d+/);
    expect(text).toContain('cairn_heavy_queries 0');
    expect(text).toContain('cairn_ready 1');
    expect(text).not.toContain('token-in-a-query');
    await server.server.close();
    await expect(fetch(server.server.metricsUrl as string)).rejects.toThrow();
  });
});

describe('dead letters', () => {
  it('are counted as they are there, also after a restart', async () => {
    const data = path.join(home, 'letters');
    const configuration = { ...TEST_CONFIGURATION, server: { port: 0, metrics: { enabled: true, port: 0 } } };
    const countOf = async (server: Loose): Promise<string | undefined> => {
      const text = await (await fetch(server.server.metricsUrl)).text();
      return /^cairn_dead_letters\{topic="document.extractrequest.dlq"\} (\d+)$/m.exec(text)?.[1];
    };
    const first = await startTestServer(configuration, data);
    const broken = { 'one.pdf': '%PDF-1.7 broken', 'two.pdf': '%PDF-1.7 broken as well' };
    expect((await first.upload('alice', '*', broken)).status).toBe(202);
    await eventually(async () => ((await countOf(first)) === '2' ? true : undefined));
    await first.server.close();
    const second = await startTestServer(configuration, data);
    expect(await countOf(second)).toBe('2');
    await second.server.close();
  });
});

describe('a key set that cannot be reached', () => {
  it('makes the service not ready, with the reason, while it has no key', async () => {
    const server = createServer({
      configuration: { ...TEST_CONFIGURATION, auth: { mode: 'jwks', jwksUrl: 'http://127.0.0.1:1/keys' } },
    });
    const url = await server.start();
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'unhealthy', reasons: ['the key set could not be read'] },
    ]);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    await server.close();
  });
});

describe('each area', () => {
  it('is also served on a port of its own, without the others', async () => {
    const free = await createPort();
    const server = await startTestServer({
      ...TEST_CONFIGURATION,
      server: { ...TEST_CONFIGURATION.server, ports: { search: free } },
    });
    expect((await fetch(`http://127.0.0.1:${free}/api/search/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${free}/api/ingest/healthz`)).status).toBe(404);
    await server.server.close();
  });
});

describe('disabled authentication', () => {
  it('lets everybody on this machine in, and nobody who names it otherwise', async () => {
    const server = createServer({ configuration: { ...TEST_CONFIGURATION, auth: { mode: 'disabled' } } });
    const url = await server.start();
    expect((await fetch(`${url}/api/search/documents?query=a`)).status).toBe(200);
    await server.close();
  });
});

describe('a server without options', () => {
  it('keeps everything in memory, and nobody is configured to see anything', async () => {
    const server = createServer({ configuration: { server: { port: 0, metrics: { enabled: false } } } });
    const url = await server.start();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const token = await server.issueToken('anybody');
    expect((await fetch(`${url}/api/search/indices`, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    await server.close();
  });
});

describe('a server that is started and closed in any order', () => {
  const inMemory = () => createServer({ configuration: { server: { port: 0, metrics: { enabled: false } } } });
  const isServed = (url: string) =>
    fetch(`${url}/livez`).then(
      () => true,
      () => false,
    );

  it('starts once at a time, and again after it was closed', async () => {
    const server = inMemory();
    const [first, second] = await Promise.allSettled([server.start(), server.start()]);
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ERR_SERVER_STARTED', kind: 'conflict' } });
    await expect(server.start()).rejects.toMatchObject({ code: 'ERR_SERVER_STARTED' });
    const urls = [first.status === 'fulfilled' ? first.value : ''];
    expect(await isServed(urls[0])).toBe(true);
    await Promise.all([server.close(), server.close()]);
    urls.push(await server.start());
    expect(await Promise.all(urls.map(isServed))).toEqual([false, true]);
    await server.close();
    expect(await Promise.all(urls.map(isServed))).toEqual([false, false]);
  });

  it.each([0, 1, 2, 3, 5, 8, 13])(
    'listens nowhere once it was closed %d turns after it began to start',
    async (turns) => {
      const port = await createPort();
      const data = path.join(home, `closed-after-${turns}`);
      const server = createServer({
        configuration: { server: { port, metrics: { enabled: false } } },
        dataDirectory: data,
      });
      const started = server.start().then(
        () => 'started',
        (error: unknown) => (error as { code?: string }).code,
      );
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await server.close();
      expect(['started', 'ERR_SERVER_CLOSED']).toContain(await started);
      expect(await isServed(`http://127.0.0.1:${port}`)).toBe(false);
      const url = await server.start();
      expect(await isServed(url)).toBe(true);
      await server.close();
    },
  );
});

describe('stopping', () => {
  it('says so on readyz for a while before it closes, and serves on until then', async () => {
    const settings = { ...TEST_CONFIGURATION.server, shutdownDelayMs: 1_000 };
    const server = await startTestServer({ ...TEST_CONFIGURATION, server: settings });
    const retired = server.server.retire();
    const response = await server.send(undefined, '/readyz');
    expect([response.status, ((await response.json()) as Loose).status]).toEqual([503, 'stopping']);
    expect((await server.send('alice', '/api/search/indices')).status).toBe(200);
    expect((await server.upload('alice', '*', { 'late.txt': 'a coot' })).status).toBe(202);
    await retired;
    await expect(server.send(undefined, '/readyz')).rejects.toThrow();
  });

  it('lets a running request finish, and takes no further one', async () => {
    const server = await startTestServer();
    const token = await server.server.issueToken('alice');
    const text = '<urn:s> <urn:p> "late" .';
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'text/turtle',
      'Content-Length': text.length,
      // The answer to it says that the request is running.
      Expect: '100-continue',
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const running = request(`${server.url}/api/graph/catalog/upload`, { method: 'POST', headers }, (response) =>
        resolve(response.statusCode),
      );
      running.on('error', reject);
      running.on('continue', async () => {
        running.write(text.slice(0, 5));
        const closed = server.server.close();
        await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
        running.end(text.slice(5));
        await closed;
      });
      running.flushHeaders();
    });
    expect(status).toBe(200);
  });
});

async function createPort(): Promise<number> {
  const probe = createServer({ configuration: TEST_CONFIGURATION });
  const url = await probe.start();
  await probe.close();
  return Number(new URL(url).port);
}
