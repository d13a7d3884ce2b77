import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import type { GraphDataset } from '@cairn/rdf-graph';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigurationInput } from '../config/configuration.ts';
import { completeConfiguration } from '../config/load.ts';
import { createLogger } from '../operations/log.ts';
import type { Notices } from '../operations/notices.ts';
import { eventually, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { openDirectoryStorage } from './storage.ts';
import { openService } from './wiring.ts';

const LABEL = 'clearance=O';

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-caches-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

async function start(directory: string, configuration: ConfigurationInput = TEST_CONFIGURATION): Promise<TestServer> {
  const server = await startTestServer(configuration, directory);
  onTestFinished(() => server.server.close());
  return server;
}

async function fill(server: TestServer): Promise<void> {
  const files = { 'quarry.txt': 'the quarry of Ada', 'harbour.txt': 'the harbour of Ada' };
  expect((await server.upload('alice', LABEL, files)).status).toBe(202);
  const names =
    '<urn:ada> a <http://ies.data.gov.uk/ontology/ies4#Person>; <http://www.w3.org/2000/01/rdf-schema#label>';
  expect((await server.update('alice', LABEL, `INSERT DATA { ${names} "Ada Stone" }`)).status).toBe(200);
  await eventually(async () => ((await documents(server)).length === 2 ? true : undefined));
  const { id } = (await server.get('alice', '/api/search/documents?query=quarry')).results[0];
  expect(id).toBeTypeOf('string');
}

async function documents(server: TestServer, query = 'Ada'): Promise<string[]> {
  const { results } = await server.get('alice', `/api/search/documents?query=${query}&indices=doc-content`);
  return results.map(({ document }: { document: { primaryName: string } }) => document.primaryName).sort();
}

async function isWhole(server: TestServer): Promise<true | undefined> {
  const found = await documents(server);
  const { results } = await server.get('alice', '/api/search/typeahead?query=stone');
  const select = encodeURIComponent('SELECT ?s { ?s <http://www.w3.org/2000/01/rdf-schema#label> "Ada Stone" }');
  const rows = (await server.get('alice', `/api/graph/knowledge/query?query=${select}`)).results.bindings;
  return found.join() === 'harbour.txt,quarry.txt' && results.length === 1 && rows.length === 1 ? true : undefined;
}

/** The readiness once nothing is being mended any more. */
function mended(server: TestServer): Promise<unknown> {
  return eventually(async () => {
    const response = await server.send(undefined, '/readyz');
    const body = (await response.json()) as { reasons?: unknown };
    return response.status === 200 && body.reasons === undefined ? body : undefined;
  });
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

function flipMiddle(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x10, middle);
  writeFileSync(file, bytes);
}

function toFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

function toLoop(file: string): void {
  rmSync(file);
  symlinkSync(path.basename(file), file);
}

function toPipe(file: string): void {
  rmSync(file);
  execFileSync('mkfifo', [file]);
}

async function filledDirectory(configuration?: ConfigurationInput): Promise<string> {
  const directory = temporaryDirectory();
  const server = await start(directory, configuration);
  await fill(server);
  await server.server.close();
  return directory;
}

describe('a cache that is damaged', () => {
  for (const [damage, harm] of [
    ['has a wrong bit', flipMiddle],
    ['is missing', rmSync],
    ['is cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 9))],
    ['is a folder', toFolder],
    ['is a link to itself', toLoop],
    ['is a pipe', toPipe],
  ] as const) {
    it(`is built anew from the log while the server serves, whichever file of it ${damage}`, async () => {
      const directory = await filledDirectory();
      const isCache = (file: string): boolean => /blobs\/(blobs|manifests)\/(caches|applied|uploads)/.test(file);
      const files = filesUnder(directory).filter(isCache);
      expect(files.length).toBeGreaterThan(8);
      for (let number = 0; number < files.length; number++) {
        // Each start writes caches anew: the file that is there now.
        const present = filesUnder(directory).filter(isCache);
        const file = present[Math.floor((number * present.length) / files.length)] as string;
        harm(path.join(directory, file));
        const server = await start(directory);
        await eventually(() => isWhole(server));
        expect(await mended(server), file).toEqual({ status: 'ready' });
        await server.server.close();
      }
      const server = await start(directory);
      expect(await isWhole(server)).toBe(true);
      const letters = filesUnder(path.join(directory, 'log')).filter((file) => file.includes('.dlq'));
      expect(letters).toEqual([]);
    }, 120_000);
  }

  it('is kept aside under a name that says so, once', async () => {
    const directory = await filledDirectory();
    for (let times = 0; times < 3; times++) {
      const segment = filesUnder(directory).find((file) => /^blobs\/blobs\/caches.*search-index.*segment/.test(file));
      flipMiddle(path.join(directory, segment as string));
      const server = await start(directory);
      await mended(server);
      await server.server.close();
    }
    expect(readdirSync(path.join(directory, 'blobs', 'damaged'))).toEqual(['search-index']);
    expect(filesUnder(path.join(directory, 'blobs', 'damaged')).some((file) => file.includes('segment-'))).toBe(true);
  }, 60_000);
});

describe('an index of the configuration', () => {
  const only = (...indices: string[]): ConfigurationInput => ({ ...TEST_CONFIGURATION, indices });

  it('is filled from the log when it is added', async () => {
    const directory = temporaryDirectory();
    const before = await start(directory, only('search'));
    expect((await before.upload('alice', LABEL, { 'a.txt': 'a text about Ada' })).status).toBe(202);
    const insert = 'INSERT DATA { <urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Ada Stone" }';
    expect((await before.update('alice', LABEL, insert)).status).toBe(200);
    await before.server.close();
    const after = await start(directory, only('search', 'doc-content'));
    await eventually(async () => ((await documents(after)).length === 1 ? true : undefined));
    await mended(after);
    await after.server.close();
    expect(filesUnder(path.join(directory, 'log')).filter((file) => file.includes('.dlq'))).toEqual([]);
  }, 60_000);

  it('is right when it is removed and added back', async () => {
    const directory = await filledDirectory();
    const without = await start(directory, only('search'));
    expect((await without.upload('alice', LABEL, { 'canal.txt': 'the canal of Ada' })).status).toBe(202);
    await without.server.close();
    const back = await start(directory);
    const names = ['canal.txt', 'harbour.txt', 'quarry.txt'];
    await eventually(async () => ((await documents(back)).join() === names.join() ? true : undefined));
    await mended(back);
    await back.server.close();
    const again = await start(directory);
    expect(await documents(again)).toEqual(names);
    expect(await mended(again)).toEqual({ status: 'ready' });
  }, 60_000);
});

describe('damage that is found while serving', () => {
  it('ends in a cache that is built anew, with the old one kept aside', async () => {
    const directory = temporaryDirectory();
    const storage = await openDirectoryStorage(directory);
    const notices: Notices = new Map();
    const configuration = completeConfiguration(TEST_CONFIGURATION);
    const service = await openService({
      configuration,
      storage,
      adapters: {},
      logger: createLogger('silent'),
      notices,
    });
    onTestFinished(async () => {
      await service.close();
      await storage.close();
    });
    const everything = createViewerOfEverything();
    const insert = 'INSERT DATA { <urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Ada Stone" }';
    const evaluate = (dataset: GraphDataset) => dataset.evaluateUpdate(everything, insert, { label: LABEL });
    await service.ingest.update({ dataset: 'knowledge', evaluate });
    for (const cache of ['search', 'knowledge']) {
      const damage = new CodedError({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt', message: 'it is damaged' });
      service.reportDamage(cache, damage);
      service.reportDamage(cache, damage);
      expect([...notices.values()]).toEqual([expect.stringContaining('is damaged and is being built anew')]);
      await service.repaired();
      expect([...notices.values()]).toEqual([]);
      expect(await service.datasets.get('knowledge')?.count(everything)).toBe(1);
      expect((await service.search.typeahead(everything, { query: 'stone' })).results).toHaveLength(1);
    }
  });
});

describe('a dataset of the configuration', () => {
  it('is filled from the log when it is added, and when it is added back', async () => {
    const without = { ...TEST_CONFIGURATION, datasets: { ontology: {} } };
    const directory = await filledDirectory();
    const server = await start(directory, without);
    expect((await server.send('alice', '/api/graph/knowledge/query?query=ASK%7B%7D')).status).toBe(404);
    expect((await server.upload('alice', LABEL, { 'canal.txt': 'the canal of Ada' })).status).toBe(202);
    await server.server.close();
    rmSync(path.join(directory, 'blobs', 'manifests', 'caches=', 'dataset-knowledge='), { recursive: true });
    renameSync(
      path.join(directory, 'blobs', 'blobs', 'caches=', 'dataset-knowledge='),
      path.join(temporaryDirectory(), 'gone'),
    );
    const back = await start(directory);
    const found = ['canal.txt', 'harbour.txt', 'quarry.txt'];
    await eventually(async () => ((await documents(back)).join() === found.join() ? true : undefined));
    const select = encodeURIComponent('SELECT ?s { ?s <http://www.w3.org/2000/01/rdf-schema#label> "Ada Stone" }');
    expect((await back.get('alice', `/api/graph/knowledge/query?query=${select}`)).results.bindings).toHaveLength(1);
    expect(await mended(back)).toEqual({ status: 'ready' });
  }, 60_000);

  it('leaves no entity in the search index when it is removed, and fills it again when it is added back', async () => {
    const directory = await filledDirectory();
    const entities = async (server: TestServer) =>
      (await server.get('alice', '/api/search/typeahead?query=stone')).results.length;
    for (let time = 0; time < 2; time++) {
      const without = await start(directory, { ...TEST_CONFIGURATION, datasets: { ontology: {} } });
      expect(await mended(without)).toEqual({ status: 'ready' });
      expect(await entities(without)).toBe(0);
      expect((await without.get('alice', '/api/search/documents?query=stone&indices=search')).results).toEqual([]);
      expect(await documents(without)).toEqual(['harbour.txt', 'quarry.txt']);
      await without.server.close();
      // What is done needs not be done again.
      const again = await start(directory, { ...TEST_CONFIGURATION, datasets: { ontology: {} } });
      expect(await again.get(undefined, '/readyz')).toEqual({ status: 'ready' });
      await again.server.close();
      const back = await start(directory);
      await eventually(async () => ((await entities(back)) === 1 ? true : undefined));
      expect(await mended(back)).toEqual({ status: 'ready' });
      expect(await isWhole(back)).toBe(true);
      await back.server.close();
    }
  }, 60_000);
});
