import { CodedError } from '@cairn/errors';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { afterEach, describe, expect, it } from 'vitest';
import { type CairnServer, createServer } from '../composition/create-server.ts';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.server.close();
  server = undefined;
});

const READS = [
  'documents?query=a',
  'documents/a',
  'documents/uri-search?query=a',
  'list?id=a',
  'typeahead?query=a',
  'facets?query=a&facet=b',
  'states?id=a',
  'indices',
];

/** A server whose index fails at every read with an error. */
async function startWithFailing(error: Error): Promise<TestServer> {
  const index = await openSearchIndex({ indices: ['search', 'doc-content'] });
  const port = new Proxy(index, {
    get(target, key) {
      if (key === 'indices') throw error;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const isRead = /^(search|typeahead|facets|states|getDocument)/.test(String(key));
      return isRead ? () => Promise.reject(error) : value.bind(target);
    },
  }) as SearchIndex;
  const configuration = {
    ...TEST_CONFIGURATION,
    server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' as const },
  };
  server = await startTestServer(configuration, undefined, {
    search: { name: 'failing', level: 'non-interference', port },
  });
  return server;
}

describe('when no search index is available', () => {
  it.each(READS)('GET /%s answers 503 with the reason', async (where) => {
    const reason = 'the index does not answer';
    const { send } = await startWithFailing(
      new CodedError({ code: 'ERR_REMOTE', kind: 'unavailable', message: reason }),
    );
    const response = await send('alice', `/api/search/${where}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ type: 'Service Unavailable', detail: reason });
  });
});

describe('when the server fails to process a request', () => {
  it.each(READS)('GET /%s answers 500 and keeps the reason to itself', async (where) => {
    const { send } = await startWithFailing(new Error('a secret of the engine'));
    const response = await send('alice', `/api/search/${where}`);
    const text = await response.text();
    expect([response.status, JSON.parse(text).type]).toEqual([500, 'InternalServerError']);
    expect(text).not.toContain('secret');
  });
});

describe('while the server starts', () => {
  it('every endpoint but health and version answers 503, and is served afterwards', async () => {
    let go = (): void => undefined;
    const prepared = new Promise<void>((resolve) => {
      go = resolve;
    });
    const starting = createServer({ configuration: { ...TEST_CONFIGURATION, server: await portOf() } });
    const url = `http://127.0.0.1:${started.port}`;
    const ready = starting.start(() => prepared);
    await waitForListening(url);
    for (const where of [
      ...READS.map((read) => `/api/search/${read}`),
      '/api/graph/knowledge/query?query=ASK%7B%7D',
      '/api/graph/knowledge/graphql?query=%7B__typename%7D',
      '/readyz',
    ]) {
      expect([where, (await fetch(`${url}${where}`)).status]).toEqual([where, 503]);
    }
    for (const where of ['/api/graph/knowledge/update', '/api/graph/knowledge/shacl', '/api/graph/knowledge/upload']) {
      expect([where, (await fetch(`${url}${where}`, { method: 'POST' })).status]).toEqual([where, 503]);
    }
    const health = (await (await fetch(`${url}/api/search/healthz`)).json()) as Loose;
    expect([health.healthy, health.reasons]).toEqual([false, ['the service is starting']]);
    expect((await fetch(`${url}/api/search/version-info`)).status).toBe(200);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    go();
    await ready;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await starting.close();
  });
});

const started = { port: 0 };

/** Settings with a port that is free now. */
async function portOf(): Promise<Loose> {
  const probe: CairnServer = createServer({ configuration: TEST_CONFIGURATION });
  started.port = Number(new URL(await probe.start()).port);
  await probe.close();
  return { ...TEST_CONFIGURATION.server, port: started.port };
}

async function waitForListening(url: string): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const response = await fetch(`${url}/livez`).catch(() => undefined);
    if (response !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it does not listen');
}
