import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BlobStore, createEvent, createMemoryBlobStore, createMemoryEventLog, type EventLog } from '@cairn/events';
import { openGraphDataset } from '@cairn/rdf-graph';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../commands/main.ts';
import type { ConfigurationInput } from '../config/configuration.ts';
import { type Loose, TEST_CONFIGURATION } from '../testing/server.ts';
import { type CairnServer, createServer } from './create-server.ts';
import { openTied } from './log-tie.ts';
import type { Service } from './service.ts';

const CONFIGURATION: ConfigurationInput = {
  ...TEST_CONFIGURATION,
  server: { ...TEST_CONFIGURATION.server, logLevel: 'warn' },
};

interface Running {
  readonly server: CairnServer;
  readonly service: Service;
  readonly said: readonly string[];
  ask(method: string, path: string, body?: string): Promise<Response>;
}

async function start(directory: string): Promise<Running> {
  const said: string[] = [];
  const server = createServer({
    configuration: CONFIGURATION,
    dataDirectory: directory,
    logTo: { write: (line) => void said.push(line) },
  });
  onTestFinished(() => server.close());
  let service: Service | undefined;
  const url = await server.start(async (opened) => {
    service = opened;
  });
  const token = await server.issueToken('alice');
  const ask = (method: string, route: string, body?: string): Promise<Response> =>
    fetch(`${url}${route}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/sparql-update', 'security-label': '*' }),
      },
      ...(body === undefined ? {} : { body }),
    });
  return { server, service: service as Service, said, ask };
}

const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';

/** Writes five names that begin with a word. */
async function write(running: Running, word: string, from = 0): Promise<void> {
  for (let number = from; number < from + 5; number++) {
    const text = `INSERT DATA { <urn:${word}${number}> <${NAME}> "${word} ${number}" }`;
    expect((await running.ask('POST', '/api/graph/knowledge/update', text)).status).toBe(200);
  }
}

/** The names in the dataset, and those that are found by a search for words. */
async function namesOf(running: Running, ...words: string[]): Promise<{ graph: string[]; search: string[] }> {
  const select = encodeURIComponent(`SELECT ?name { ?s <${NAME}> ?name } ORDER BY ?name`);
  const get = async (route: string): Promise<Loose> => (await running.ask('GET', route)).json();
  const rows = await get(`/api/graph/knowledge/query?query=${select}`);
  const graph = rows.results.bindings.map(({ name }: { name: { value: string } }) => name.value);
  const search: string[] = [];
  for (const word of words) {
    const { results } = await get(`/api/search/typeahead?query=${word}&limit=100`);
    for (const { id } of results) search.push(id.replace(`urn:${word}`, `${word} `));
  }
  return { graph, search: search.sort() };
}

function five(word: string, from = 0): string[] {
  return [0, 1, 2, 3, 4].map((number) => `${word} ${number + from}`);
}

/** Two data directories with five updates each, stopped. */
async function twoDirectories(): Promise<{ root: string; a: string; b: string }> {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-tie-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const [a, b] = [path.join(root, 'a'), path.join(root, 'b')];
  for (const [directory, word] of [
    [a, 'amber'],
    [b, 'basalt'],
  ] as const) {
    const running = await start(directory);
    await write(running, word);
    await running.server.close();
  }
  return { root, a, b };
}

/** Exchanges a file or folder of two directories. */
function exchange(one: string, other: string, what: string): void {
  const kept = path.join(one, 'exchanged');
  renameSync(path.join(one, what), kept);
  renameSync(path.join(other, what), path.join(one, what));
  renameSync(kept, path.join(other, what));
}

async function verifyOf(directory: string): Promise<{ status: number; text: string }> {
  const lines: string[] = [];
  const console = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
  const status = await runCommandLine(['verify', '--data', directory], { environment: {}, console });
  return { status, text: lines.join('\n') };
}

/** The caches that were told of, at level error, as made from another log. */
function toldOf({ said }: Running): string[] {
  const lines = said.map((line) => JSON.parse(line) as { level: number; code?: string; cache?: string });
  return lines
    .flatMap(({ level, code, cache }) => (level === 50 && code === 'ERR_CACHE_LOG' ? [cache ?? ''] : []))
    .sort();
}

/** Starts a directory, waits until nothing is being mended, and checks what it answers and says. */
async function expectMended(directory: string, names: readonly string[], told: readonly string[]): Promise<void> {
  const running = await start(directory);
  await running.service.repaired();
  await running.service.ingest.settle({ timeoutMs: 60_000 });
  expect(await namesOf(running, 'amber', 'basalt')).toEqual({ graph: names, search: names });
  expect(toldOf(running)).toEqual(told);
  await running.server.close();
  const again = await start(directory);
  expect(toldOf(again)).toEqual([]);
  expect(await namesOf(again, 'amber', 'basalt')).toEqual({ graph: names, search: names });
  await again.server.close();
  expect(await verifyOf(directory)).toMatchObject({ status: 0 });
}

describe('a cache that was made from another log', () => {
  for (const what of ['blobs', 'log']) {
    it(`is told of and built anew from the log of its directory when the ${what} of two were exchanged`, async () => {
      const { a, b } = await twoDirectories();
      exchange(a, b, what);
      const found = await verifyOf(a);
      expect(found.status).not.toBe(0);
      expect(found.text).toMatch(/cache: search: .*another log/);
      expect(found.text).toMatch(/cache: knowledge: .*another log/);
      const [ofA, ofB] = what === 'blobs' ? ['amber', 'basalt'] : ['basalt', 'amber'];
      await expectMended(a, five(ofA), ['knowledge', 'search']);
      await expectMended(b, five(ofB), ['knowledge', 'search']);
    }, 120_000);
  }

  for (const [cache, file] of [
    ['search', 'search-index='],
    ['knowledge', 'dataset-knowledge='],
  ] as const) {
    it(`is told of when it is the only one that was exchanged: ${cache}`, async () => {
      const { a, b } = await twoDirectories();
      for (const kind of ['manifests', 'blobs']) exchange(a, b, `blobs/${kind}/caches=/${file}`);
      await expectMended(a, five('amber'), [cache]);
    }, 120_000);
  }

  it('is told of when its log is a copy of an earlier time that went another way', async () => {
    const { root, a } = await twoDirectories();
    const copy = path.join(root, 'copy');
    cpSync(a, copy, { recursive: true, filter: (source) => !source.endsWith('.sock') });
    for (const [directory, word] of [
      [a, 'amber'],
      [copy, 'basalt'],
    ] as const) {
      const running = await start(directory);
      expect(toldOf(running)).toEqual([]);
      await write(running, word, 5);
      await running.server.close();
    }
    exchange(a, copy, 'log');
    await expectMended(a, [...five('amber'), ...five('basalt', 5)], ['knowledge', 'search']);
  }, 120_000);

  it('is found by a verification of the running server when it was put there meanwhile', async () => {
    const { a, b } = await twoDirectories();
    const running = await start(a);
    expect((await verifyOf(a)).text).toContain('as they were written');
    for (const kind of ['manifests', 'blobs']) {
      cpSync(path.join(b, `blobs/${kind}/caches=/search-index=`), path.join(a, `blobs/${kind}/caches=/search-index=`), {
        recursive: true,
      });
    }
    const { status, text } = await verifyOf(a);
    expect(status).not.toBe(0);
    expect(text).toMatch(/cache: the cache search-index: .*another log/);
    await running.server.close();
  }, 120_000);
});

describe('a cache over blobs', () => {
  const events = (...ids: string[]) => ids.map((id) => createEvent({ id, type: 'test', value: id }));
  const open = (blobs: BlobStore, log: EventLog) =>
    openTied(blobs, log, (tied) => openGraphDataset({ name: 'things', blobs: tied }));

  /** Stores a dataset that has applied what a log holds. */
  async function store(blobs: BlobStore, log: EventLog): Promise<void> {
    const dataset = await open(blobs, log);
    await dataset.apply([], { things: (await log.end('things')) as string });
    await dataset.flush();
    await dataset.close();
  }

  it('is refused with a log whose event there has the same id, but another time', async () => {
    const blobs = createMemoryBlobStore();
    const [log, other] = [1, 2].map((now) => createMemoryEventLog({ nowMs: () => now })) as [EventLog, EventLog];
    await log.append('things', events('one', 'same'));
    await other.append('things', events('two', 'same'));
    await store(blobs, log);
    await (await open(blobs, log)).close();
    await expect(open(blobs, other)).rejects.toMatchObject({ code: 'ERR_CACHE_LOG', kind: 'corrupt' });
  });

  it('opens without a tie, as earlier releases stored it, and is tied when it is stored again', async () => {
    const blobs = createMemoryBlobStore();
    const [log, other] = [createMemoryEventLog(), createMemoryEventLog()];
    await log.append('things', events('one'));
    await other.append('things', events('two'));
    const untied = await openGraphDataset({ name: 'things', blobs });
    await untied.apply([], { things: (await log.end('things')) as string });
    await untied.flush();
    await untied.close();
    await (await open(blobs, other)).close();
    await store(blobs, log);
    await expect(open(blobs, other)).rejects.toMatchObject({ code: 'ERR_CACHE_LOG' });
  });

  it('is refused as damaged when its tie cannot be read', async () => {
    const blobs = createMemoryBlobStore();
    for (const text of ['cairn-tie ', 'cairn-tie {\n', 'cairn-tie []\n', 'cairn-tie {"t":{"position":"1"}}\n']) {
      await blobs.replaceManifest('graph/things', new TextEncoder().encode(text));
      await expect(open(blobs, createMemoryEventLog())).rejects.toMatchObject({ code: 'ERR_CACHE_LOG' });
    }
  });

  it('is not tied to a log that cannot tell its events by position', async () => {
    const blobs = createMemoryBlobStore();
    const [log, other] = [createMemoryEventLog(), createMemoryEventLog()];
    for (const [one, id] of [
      [log, 'one'],
      [other, 'two'],
    ] as const) {
      await one.append('things', events(id));
      Object.assign(one, { eventAt: undefined });
    }
    await store(blobs, log);
    expect((await open(blobs, other)).positions()).toEqual({ things: await log.end('things') });
  });
});
