import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFileEventLog } from '@cairn/storage-fs';
import { expect, it, onTestFinished } from 'vitest';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { runCommandLine } from './main.ts';
import { EXIT } from './outcome.ts';

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-verify-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

interface Ended {
  readonly status: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

async function cairn(data: string, ...args: string[]): Promise<Ended> {
  const file = `${data}.yaml`;
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(TEST_CONFIGURATION));
  onTestFinished(() => rmSync(file, { force: true }));
  const [out, err]: [string[], string[]] = [[], []];
  const console = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const status = await runCommandLine([...args, '--data', data, '--config', file], { environment: {}, console });
  return { status, out, err };
}

async function serve(data: string, graph: { readonly applyTimeoutMs?: number } = {}): Promise<TestServer> {
  const server = await startTestServer(
    { ...TEST_CONFIGURATION, graph, server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' } },
    data,
  );
  onTestFinished(() => server.server.close());
  return server;
}

/** Uploads a document of a word, and waits until it is found. */
async function uploadWord(server: TestServer, word: string): Promise<void> {
  expect((await server.upload('alice', '*', { [`${word}.txt`]: `the word ${word}` })).status).toBe(202);
  await found(server, word);
}

async function found(server: TestServer, word: string): Promise<void> {
  await eventually(async () => ((await countOf(server, word)) > 0 ? true : undefined));
  expect(await countOf(server, word), `documents with ${word}`).toBe(1);
}

async function countOf(server: TestServer, word: string): Promise<number> {
  return (await server.get('alice', `/api/search/documents?query=${word}`)).results.length;
}

async function readiness(server: TestServer): Promise<Loose> {
  return server.get(undefined, '/readyz');
}

/** The last segment of a topic. */
function lastSegment(data: string, topic: string): string {
  const folder = path.join(data, 'log/topics', topic);
  return path.join(folder, readdirSync(folder).sort().at(-1) as string);
}

function cutOff(file: string, bytes: number): void {
  truncateSync(file, statSync(file).size - bytes);
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  bytes[offset] = (bytes[offset] as number) ^ 16;
  writeFileSync(file, bytes);
}

/** A data directory with some documents and a triple, its server stopped. */
async function filledDirectory(words: readonly string[], large?: string): Promise<string> {
  const data = path.join(temporaryDirectory(), 'data');
  const server = await serve(data);
  for (const word of words) await uploadWord(server, word);
  if (large !== undefined) {
    const text = `${large} ${'filler '.repeat(200_000)}`;
    expect((await server.upload('alice', '*', { 'large.txt': text })).status).toBe(202);
    await found(server, large);
  }
  expect((await server.update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> "said" }')).status).toBe(200);
  await server.server.close();
  return data;
}

function blobFiles(data: string, prefix: string): string[] {
  const entries = readdirSync(path.join(data, 'blobs/blobs', `${prefix}=`), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

for (const topic of ['document.extractrequest', 'document.textandmetadata', 'document.entities', 'knowledge']) {
  it(`finds every upload after the end of ${topic} was cut off, and says so until it is accepted`, async () => {
    const data = await filledDirectory(['alpha', 'bravo']);
    cutOff(lastSegment(data, topic), 5);
    const stopped = await cairn(data, 'verify');
    expect(stopped.status).toBe(1);
    expect(stopped.out.join('\n')).toContain(`log: log/topics/${topic}/`);
    const server = await serve(data);
    expect(await readiness(server)).toMatchObject({ status: 'ready', reasons: [expect.stringContaining(topic)] });
    for (const word of ['charlie', 'delta', 'echo']) await uploadWord(server, word);
    await found(server, 'alpha');
    expect((await cairn(data, 'verify')).out.join('\n')).toContain('cut: log/topics/');
    const accepted = await cairn(data, 'verify', '--accept');
    expect(accepted.err.join('\n')).toContain(`accepted: the topic ${topic} lost events`);
    expect(accepted).toMatchObject({ status: 0, out: [expect.stringContaining('as they were written')] });
    expect(await readiness(server)).toEqual({ status: 'ready' });
    await server.server.close();
    expect((await cairn(data, 'verify')).status).toBe(0);
    const again = await serve(data);
    expect(await readiness(again)).toEqual({ status: 'ready' });
    for (const word of ['alpha', 'charlie', 'delta', 'echo']) await found(again, word);
  });
}

it('mends a log that is damaged in the middle, which no server opens', async () => {
  const data = await filledDirectory(['alpha', 'bravo', 'charlie']);
  flip(lastSegment(data, 'document.extractrequest'), 150);
  await expect(serve(data)).rejects.toMatchObject({ code: 'ERR_LOG_CORRUPT' });
  const found1 = await cairn(data, 'verify');
  expect(found1.status).toBe(1);
  expect(found1.out.join('\n')).toContain('cairn verify --accept');
  const mended = await cairn(data, 'verify', '--accept');
  expect(mended.err.join('\n')).toContain('set aside: log/topics/document.extractrequest/');
  expect(mended.status).toBe(0);
  const server = await serve(data);
  expect(await readiness(server)).toEqual({ status: 'ready' });
  await uploadWord(server, 'delta');
  for (const word of ['alpha', 'bravo', 'charlie']) await found(server, word);
});

it('names a value that is damaged or missing, and gives it up when it is told to', async () => {
  const data = await filledDirectory(['alpha'], 'huge');
  const [file] = blobFiles(data, 'uploads');
  flip(file as string, 5000);
  const [value] = blobFiles(data, 'values');
  rmSync(value as string);
  for (const json of [false, true]) {
    const { status, out, err } = await cairn(data, 'verify', ...(json ? ['--json'] : []));
    expect(status).toBe(1);
    expect(out.join('\n')).toContain(path.basename(file as string));
    expect(out.join('\n')).toContain(path.basename(value as string));
    expect(err.at(-1)).toContain('2 things in the data are damaged or missing');
    if (json) for (const line of out) expect(JSON.parse(line)).toMatchObject({ area: 'value' });
  }
  await cairn(data, 'verify', '--give-up-values');
  const left = await cairn(data, 'verify');
  expect(left.out.join('\n')).not.toContain('is the value of the event');
});

it('names a cache that is damaged, and one whose manifest is gone', async () => {
  const data = await filledDirectory(['alpha']);
  const whole = path.join(temporaryDirectory(), 'whole');
  cpSync(data, whole, { recursive: true });
  const caches = readdirSync(path.join(data, 'blobs/blobs/caches='), { recursive: true, withFileTypes: true });
  const blob = caches.find((entry) => entry.isFile()) as (typeof caches)[number];
  flip(path.join(blob.parentPath, blob.name), 40);
  const { status, out } = await cairn(data, 'verify');
  expect([status, out.join('\n')]).toEqual([1, expect.stringContaining('cache: blobs/blobs/caches=/')]);
  rmSync(path.join(whole, 'blobs/manifests/caches=/search-index='), { recursive: true });
  const lost = await cairn(whole, 'verify');
  expect([lost.status, lost.out.join('\n')]).toEqual([1, expect.stringContaining('cache: search')]);
});

it('names a file of a cache in whose place something else is, and reads the rest', async () => {
  const data = await filledDirectory(['alpha']);
  const fileOf = (place: string): string => {
    const root = path.join(data, `blobs/blobs/caches=/${place}=`);
    const found = readdirSync(root, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile());
    return path.join(found?.parentPath ?? '', found?.name ?? '');
  };
  const [folder, loop] = [fileOf('dataset-knowledge'), fileOf('search-index')];
  for (const file of [folder, loop]) rmSync(file);
  mkdirSync(folder);
  symlinkSync(path.basename(loop), loop);
  const { status, out } = await cairn(data, 'verify');
  expect([status, out.join('\n')]).toEqual([1, expect.stringContaining(`${folder} is damaged`)]);
  expect(out.join('\n')).toContain(`${loop} is damaged`);
  expect(await cairn(data, 'rebuild', 'knowledge')).toMatchObject({ status: 0 });
  expect(await cairn(data, 'verify')).toMatchObject({ status: 0 });
});

it('reads no directory that another process has open, and keeps others out while it reads', async () => {
  const data = await filledDirectory(['alpha'], 'huge');
  const log = await openFileEventLog({ directory: path.join(data, 'log') });
  for (const flags of [[], ['--accept'], ['--give-up-values']]) {
    const { status, out, err } = await cairn(data, 'verify', ...flags);
    expect({ status, out }).toEqual({ status: EXIT.failure, out: [] });
    expect(err.join('\n')).toContain(`process ${process.pid} holds`);
  }
  await log.close();
  flip(blobFiles(data, 'values')[0] as string, 5000);
  const lock = path.join(data, 'log/lock');
  const locked: boolean[] = [];
  const out = (): void => void locked.push(existsSync(lock));
  const console = { out, err: () => undefined };
  expect(await runCommandLine(['verify', '--data', data], { environment: {}, console })).toBe(1);
  expect([locked[0], existsSync(lock)]).toEqual([true, false]);
});

it.skipIf(process.getuid?.() === 0)(
  'reads a directory that cannot be written, and says that it is not locked',
  async () => {
    const data = await filledDirectory(['alpha']);
    chmodSync(path.join(data, 'log'), 0o500);
    onTestFinished(() => chmodSync(path.join(data, 'log'), 0o700));
    const { status, err } = await cairn(data, 'verify');
    expect([status, err.join('\n')]).toEqual([0, expect.stringContaining('is not locked')]);
  },
);

it('misses a file of a cache that the manifest names, while the server runs and when it is stopped', async () => {
  const data = await filledDirectory(['alpha']);
  const server = await serve(data);
  expect((await cairn(data, 'verify')).status).toBe(0);
  for (const [kind, cache] of [
    ['documents', 'search-index'],
    ['run', 'dataset-knowledge'],
  ] as const) {
    const file = blobFiles(data, 'caches').find((one) => one.includes(cache) && path.basename(one).startsWith(kind));
    rmSync(file as string);
    const { status, out } = await cairn(data, 'verify');
    const said = new RegExp(`cache: the cache ${cache}: its blob .*${path.basename(file as string)} is missing`);
    expect([status, out.join('\n')]).toEqual([1, expect.stringMatching(said)]);
  }
  await server.server.close();
  expect((await cairn(data, 'verify')).out.join('\n')).toMatch(/cache: (search|knowledge): .* is missing/);
});

it('misses a last segment that no group has read, and a topic that is gone', async () => {
  const data = await filledDirectory(['alpha']);
  // What tells how far the groups came would tell as well.
  rmSync(path.join(data, 'log/offsets'));
  rmSync(path.join(data, 'blobs'), { recursive: true });
  for (const topic of ['document.extractrequest', 'knowledge']) {
    rmSync(path.join(data, 'log/topics', topic), { recursive: true });
    const { status, out } = await cairn(data, 'verify');
    expect([status, out.join('\n')]).toEqual([1, expect.stringContaining(`log: log/topics/${topic}/`)]);
  }
  const server = await serve(data);
  await uploadWord(server, 'bravo');
  expect((await cairn(data, 'verify')).out.join('\n')).toContain('the last segment is missing');
  expect((await cairn(data, 'verify', '--accept')).status).toBe(0);
  expect(await readiness(server)).toEqual({ status: 'ready' });
  await server.server.close();
  expect((await cairn(data, 'verify')).status).toBe(0);
});

it('backs up and restores with every value as it was, and says when it is not', async () => {
  const data = await filledDirectory(['alpha'], 'huge');
  const server = await serve(data);
  const backup = path.join(temporaryDirectory(), 'backup');
  const done = await cairn(data, 'backup', backup);
  expect(done.status).toBe(0);
  expect(done.err.join('\n')).toContain('verified: ');
  await server.server.close();
  const target = path.join(temporaryDirectory(), 'restored');
  expect(await cairn(target, 'restore', backup)).toMatchObject({ status: 0 });
  const restored = await serve(target);
  for (const word of ['alpha', 'huge']) await found(restored, word);
  await restored.server.close();

  flip(blobFiles(backup, 'values')[0] as string, 5000);
  const bad = await cairn(path.join(temporaryDirectory(), 'bad'), 'restore', backup);
  expect(bad.status).toBe(1);
  expect(bad.err.join('\n')).toContain('blobs/blobs/values=/');
  expect(bad.out).toEqual([]);

  flip(blobFiles(data, 'uploads')[0] as string, 5000);
  const again = path.join(temporaryDirectory(), 'again');
  const partly = await cairn(data, 'backup', again);
  expect(partly.status).toBe(1);
  expect(partly.err.join('\n')).toContain('uploads=/');
  expect(blobFiles(again, 'values').length, 'what is whole is copied all the same').toBeGreaterThan(0);
});

it('restores no backup whose log is damaged without a word', async () => {
  const data = await filledDirectory(['alpha', 'bravo', 'charlie']);
  const backup = path.join(temporaryDirectory(), 'backup');
  expect((await cairn(data, 'backup', backup)).status).toBe(0);
  flip(lastSegment(backup, 'document.entities'), 150);
  const { status, err } = await cairn(path.join(temporaryDirectory(), 'bad'), 'restore', backup);
  expect([status, err.join('\n')]).toEqual([1, expect.stringContaining('log/topics/document.entities/')]);
});

it('stops before an event whose value is damaged or missing, says so, and goes on once it is put back', async () => {
  const data = await filledDirectory(['alpha'], 'huge');
  const backup = path.join(temporaryDirectory(), 'backup');
  expect((await cairn(data, 'backup', backup)).status).toBe(0);
  for (const harm of ['damage', 'remove'] as const) {
    const target = path.join(temporaryDirectory(), 'restored');
    const bad = path.join(temporaryDirectory(), 'bad');
    cpSync(backup, bad, { recursive: true });
    for (const file of blobFiles(bad, 'values')) {
      if (harm === 'damage') flip(file, 5000);
      else rmSync(file);
    }
    expect((await cairn(target, 'restore', bad)).status).toBe(1);
    const server = await serve(target);
    await found(server, 'alpha');
    const { reasons } = await server.get(undefined, '/readyz', 503);
    expect(reasons.join('\n')).toContain('the projector search-documents of the topic document.entities stands before');
    expect(await countOf(server, 'huge')).toBe(0);
    expect((await cairn(target, 'dead-letters', 'list')).out).toEqual([]);
    cpSync(path.join(backup, 'blobs'), path.join(target, 'blobs'), { recursive: true });
    await eventually(async () => ((await server.send(undefined, '/readyz')).status === 200 ? true : undefined), 800);
    await found(server, 'huge');
    expect((await cairn(target, 'verify')).status).toBe(0);
    await server.server.close();
  }
});

it('serves at once beside a projector that stands before a lost value, whoever else waits for it', async () => {
  const data = await filledDirectory(['alpha']);
  const server = await serve(data, { applyTimeoutMs: 120_000 });
  // Over a mebibyte, so that it is a value of its own.
  const triples = Array.from({ length: 1_500 }, (_, i) => `<urn:s:${i}> <urn:p> "${i}${'x'.repeat(1_000)}" .`).join(
    '\n',
  );
  const headers = { 'Content-Type': 'application/n-triples', 'Security-Label': '*' };
  const loaded = await server.send('alice', '/api/graph/knowledge/upload', { method: 'POST', headers, body: triples });
  expect(loaded.status).toBe(200);
  await server.server.close();
  // The dataset is built anew, and what makes RDF of documents begins anew and writes to it.
  rmSync(path.join(data, 'log', 'offsets'));
  rmSync(path.join(data, 'blobs', 'manifests', 'caches=', 'dataset-knowledge='), { recursive: true });
  for (const file of blobFiles(data, 'values')) flip(file, 5000);
  const startedMs = performance.now();
  const again = await serve(data);
  expect(performance.now() - startedMs).toBeLessThan(60_000);
  await eventually(async () => {
    const { reasons = [] } = (await (await again.send(undefined, '/readyz')).json()) as Loose;
    return reasons.join('\n').includes('the projector graph of the topic knowledge stands before') || undefined;
  }, 800);
  await found(again, 'alpha');
});

for (const state of ['running', 'stopped']) {
  it(`makes values that were given up again of an upload that is whole, on a server that is ${state}`, async () => {
    const data = await filledDirectory(['alpha'], 'huge');
    // The caches are gone as well, so that nothing but the log tells of the document.
    rmSync(path.join(data, 'blobs/manifests/caches='), { recursive: true });
    const values = blobFiles(data, 'values');
    expect(values.length, 'what was made of it').toBe(2);
    for (const file of values) flip(file, 5000);
    let server = await serve(data);
    await server.get(undefined, '/readyz', 503);
    if (state === 'stopped') await server.server.close();
    const { err } = await cairn(data, 'verify', '--give-up-values');
    for (const topic of ['document.textandmetadata', 'document.entities'])
      expect(err.join('\n')).toContain(`gave up 1 values of the topic ${topic}`);
    if (state === 'stopped') server = await serve(data);
    for (const word of ['alpha', 'huge']) await found(server, word);
    await eventually(async () => ((await server.send(undefined, '/readyz')).status === 200 ? true : undefined), 800);
    expect((await cairn(data, 'rebuild', 'search')).status).toBe(0);
    for (const word of ['alpha', 'huge']) await found(server, word);
    // What was made anew may differ from what was lost, of which the file is left.
    for (const line of (await cairn(data, 'verify')).out) expect(line).toContain('no event refers to it');
    await server.server.close();
    const again = await serve(data);
    for (const word of ['alpha', 'huge']) await found(again, word);
  });
}

it('goes on without an upload that was given up', async () => {
  const data = await filledDirectory(['alpha'], 'huge');
  const backup = path.join(temporaryDirectory(), 'backup');
  expect((await cairn(data, 'backup', backup)).status).toBe(0);
  for (const prefix of ['uploads', 'values']) for (const file of blobFiles(backup, prefix)) rmSync(file);
  const target = path.join(temporaryDirectory(), 'restored');
  expect((await cairn(target, 'restore', backup)).status).toBe(1);
  const server = await serve(target);
  await server.get(undefined, '/readyz', 503);
  expect((await cairn(target, 'verify', '--give-up-values')).err.join('\n')).toContain('gave up');
  await eventually(async () => ((await server.send(undefined, '/readyz')).status === 200 ? true : undefined), 800);
  await uploadWord(server, 'bravo');
  expect(await countOf(server, 'huge')).toBe(0);
  expect((await cairn(target, 'verify')).status).toBe(0);
});
