import { createServer as createNodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { openSearchIndex } from '@cairn/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from './create-server.ts';

const CONFIGURATION = { server: { port: 0, metrics: { enabled: false } } };
const ADAPTER = { name: 'other', level: 'core', port: await openSearchIndex({ indices: ['search'] }) } as const;
const started = createServer({ configuration: CONFIGURATION });
beforeAll(() => started.start());
afterAll(() => started.close());

const DOORS: readonly Door[] = [
  ['createServer', (wrong) => createServer(wrong), ['object', 'undefined']],
  ['createServer, configuration', (configuration) => createServer({ configuration }), ['object', 'undefined']],
  ['createServer, dataDirectory', (dataDirectory) => createServer({ dataDirectory }), ['text', 'undefined']],
  ['createServer, adapters', (adapters) => createServer({ adapters }), ['object', 'undefined']],
  ...(['log', 'blobs', 'extractor', 'fileSystem', 'search', 'attributes'] as const).map(
    (name): Door => [
      `createServer, adapters, ${name}`,
      (wrong) => createServer({ adapters: { [name]: wrong } }),
      ['undefined'],
    ],
  ),
  ['createServer, adapters, datasets', (datasets) => createServer({ adapters: { datasets } }), ['object', 'undefined']],
  ['createServer, adapters, a dataset', (a) => createServer({ adapters: { datasets: { a } } }), []],
  ...(['name', 'level', 'port'] as const).map(
    (part): Door => [
      `createServer, adapters, the ${part} of search`,
      (wrong) => createServer({ adapters: { search: { ...ADAPTER, [part]: wrong } } }),
      part === 'name' ? ['text'] : [],
    ],
  ),
  ['issueToken', (wrong) => started.issueToken(wrong), ['text']],
  ['createServer, logTo', (logTo) => createServer({ logTo }), ['undefined']],
];

describe('a door of the server', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it.each<AnyArgument>([{ lgo: 1 }, { log: createMemoryEventLog(), dataset: {} }, { constructor: {} }])(
    'refuses adapters that nobody would read: %o',
    (adapters) => {
      const refused = {
        code: 'ERR_ARGUMENT',
        message: expect.stringMatching(/^the keys of adapters must be among log, /),
      };
      expect(() => createServer({ adapters: adapters as AnyArgument })).toThrow(expect.objectContaining(refused));
    },
  );

  it('refuses an option that nobody would read', () => {
    const refused = { code: 'ERR_ARGUMENT', message: expect.stringContaining('got "dataDir"') };
    expect(() => createServer({ dataDir: './data' } as AnyArgument)).toThrow(expect.objectContaining(refused));
  });

  it('refuses a log that lacks a method, by its name', () => {
    const log = { ...createMemoryBlobStore(), append: async () => [] } as AnyArgument;
    const refused = {
      code: 'ERR_ARGUMENT',
      message: 'adapters.log must be something with a method read; got an object',
    };
    expect(() => createServer({ adapters: { log } })).toThrow(expect.objectContaining(refused));
  });

  it('issues no token before it is started, nor when it was closed', async () => {
    const server = createServer({ configuration: CONFIGURATION });
    const refused = { code: 'ERR_SERVER_NOT_STARTED', kind: 'conflict' };
    await expect(server.issueToken('a')).rejects.toMatchObject(refused);
    await server.start();
    expect(await server.issueToken('a')).toMatch(/^ey/);
    await server.close();
    await expect(server.issueToken('a')).rejects.toMatchObject(refused);
  });

  it('says with a code that a port is taken, whichever of them, and starts when it is free', async () => {
    const other = createNodeServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const servers = [{ port }, { port: 0, ports: { graph: port } }, { port: 0, metrics: { port } }].map((given) =>
      createServer({ configuration: { server: { ...CONFIGURATION.server, ...given } } }),
    );
    for (const server of servers) {
      await expect(server.start()).rejects.toMatchObject({
        code: 'ERR_LISTEN',
        kind: 'unavailable',
        message: `the address 127.0.0.1:${port} is in use by another process`,
      });
    }
    await new Promise((resolve) => other.close(resolve));
    for (const server of servers) {
      await server.start();
      await server.close();
    }
  });

  it('starts no second time over adapters that it has closed, and says which', async () => {
    const log = createMemoryEventLog();
    const server = createServer({ configuration: CONFIGURATION, adapters: { log } });
    await server.start();
    await server.close();
    await expect(server.start()).rejects.toMatchObject({
      code: 'ERR_ADAPTERS_CLOSED',
      kind: 'conflict',
      message: expect.stringContaining('adapters.log'),
    });
  });
});
