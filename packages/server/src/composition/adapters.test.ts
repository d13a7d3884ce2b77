import { createMemoryEventLog } from '@cairn/events';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConfigurationInput } from '../config/configuration.ts';
import { type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import type { Adapter, Adapters } from './adapters.ts';

const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
const LEAKY: ConfigurationInput = { ...TEST_CONFIGURATION, allowStatisticalLeak: true };

let server: TestServer | undefined;
const start = async (adapters: Adapters, configuration = TEST_CONFIGURATION): Promise<TestServer> => {
  server = await startTestServer(configuration, undefined, adapters);
  return server;
};
afterEach(async () => {
  await server?.server.close();
  server = undefined;
});

async function indexOf(level: Adapter<SearchIndex>['level']): Promise<Adapter<SearchIndex>> {
  return { name: 'other', level, port: await openSearchIndex({ indices: ['search', 'doc-content'] }) };
}

describe('an adapter below non-interference', () => {
  it('keeps the server from starting, by name', async () => {
    await expect(start({ search: await indexOf('core') })).rejects.toMatchObject({
      code: 'ERR_STATISTICAL_LEAK',
      message: expect.stringContaining('search (other)'),
    });
    const port = await openGraphDataset({ name: 'catalog' });
    await expect(start({ datasets: { catalog: { name: 'remote', level: 'core', port } } })).rejects.toMatchObject({
      code: 'ERR_STATISTICAL_LEAK',
      message: expect.stringContaining('dataset catalog (remote)'),
    });
  });

  it('serves when the configuration allows it, and health says so', async () => {
    const { get } = await start({ search: await indexOf('core') }, LEAKY);
    expect((await get(undefined, '/api/search/healthz')).config).toMatchObject({ conformance: 'core' });
  });
});

describe('an adapter', () => {
  it('of the index takes its place, in versions too', async () => {
    const adapter = await indexOf('non-interference');
    const { update, get } = await start({ search: adapter });
    expect((await update('alice', '*', `INSERT DATA { <urn:a> <${NAME}> "Eagle" }`)).status).toBe(200);
    expect((await get('dieter', '/api/search/typeahead?query=eag')).results).toHaveLength(1);
    expect(adapter.port.positions()).toHaveProperty('knowledge');
    expect(await get(undefined, '/api/search/version-info')).toHaveProperty('search-index-other');
    expect((await get(undefined, '/api/search/healthz')).config).toMatchObject({ conformance: 'non-interference' });
  });

  it('of a dataset takes its place, and must be of a configured one', async () => {
    const port = await openGraphDataset({ name: 'catalog' });
    const adapter = { name: 'remote', level: 'non-interference', port } as const;
    await expect(start({ datasets: { unknown: adapter } })).rejects.toMatchObject({ code: 'ERR_CONFIGURATION' });
    const { send, get } = await start({ datasets: { catalog: adapter } });
    const headers = { 'Content-Type': 'application/sparql-update', 'Security-Label': '*' };
    const body = 'INSERT DATA { <urn:a> <urn:b> 1 }';
    expect((await send('alice', '/api/graph/catalog/update', { method: 'POST', headers, body })).status).toBe(200);
    const query = encodeURIComponent('ASK { <urn:a> ?p 1 }');
    expect((await get('dieter', `/api/graph/catalog/query?query=${query}`)).boolean).toBe(true);
    expect(port.positions()).toHaveProperty('catalog');
  });

  it('of the log holds the events', async () => {
    const log = createMemoryEventLog({ nowMs: Date.now });
    const { update, get } = await start({ log });
    expect((await update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> 1 }')).status).toBe(200);
    expect(await log.end('knowledge')).toBeDefined();
    expect(await get(undefined, '/api/ingest/version-info')).toHaveProperty('event-source-custom');
  });
});

describe('a source of attributes', () => {
  it('decides what a user may see, refuses whom it does not know, and answers 503 when it fails', async () => {
    const attributes: Record<string, Loose> = { alice: { clearance: 'O' }, dieter: { clearance: 'TS' } };
    const { update, get, send } = await start({
      attributes: {
        async attributesOf(name) {
          if (name === 'reader') throw new Error('the directory is down');
          return attributes[name];
        },
      },
    });
    expect((await update('dieter', 'clearance=TS', `INSERT DATA { <urn:a> <${NAME}> "Eagle" }`)).status).toBe(200);
    const found = async (user: string): Promise<number> =>
      (await get(user, '/api/search/typeahead?query=eag')).results.length;
    expect([await found('dieter'), await found('alice')]).toEqual([1, 0]);
    attributes['alice'] = { clearance: 'TS' };
    expect(await found('alice')).toBe(1);
    expect((await send('nobody', '/api/search/indices')).status).toBe(401);
    expect((await send('reader', '/api/search/indices')).status).toBe(503);
  });
});
