import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Loose } from '../testing/server.ts';

const CLI = path.join(import.meta.dirname, '../../dist/cli.js');
const APOLLO = path.join(import.meta.dirname, '../../../../test-fixtures/apollo/documents');
const CONFIGURATION = `
server: {metrics: {enabled: false}, shutdownDelayMs: 0}
auth:
  users:
    alice: {attributes: {clearance: TS, nationality: [GBR]}, permissions: [api.knowledge.read, api.knowledge.write], roles: [USER]}
    dieter: {attributes: {clearance: O, nationality: [DEU]}, permissions: [api.knowledge.read], roles: [USER]}
  hierarchies: {clearance: [O, OS, S, TS]}
datasets: {knowledge: {defaultLabel: "!"}, ontology: {defaultLabel: "*"}, catalog: {}}
indices: [search, doc-content]
`;

let home = '';
const children: ChildProcess[] = [];
beforeAll(() => {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: build the server first (npm run build:fast)`);
  home = mkdtempSync(path.join(tmpdir(), 'cairn-cli-'));
  writeFileSync(path.join(home, 'cairn.yaml'), CONFIGURATION);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(home, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended>; output(): Ended } {
  const child = spawn(process.execPath, [CLI, ...args], { env: { PATH: process.env['PATH'] ?? '' } });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (status) => resolve({ status, out, err })));
  return { child, ended, output: () => ({ status: child.exitCode, out, err }) };
}

function run(...args: string[]): Promise<Ended> {
  return start(...args).ended;
}

/** Serves a data directory until it is ready. */
async function serve(
  data: string,
  ...args: string[]
): Promise<{ readonly url: string; readonly child: ChildProcess; readonly ended: Promise<Ended>; output(): Ended }> {
  const started = start('serve', '--data', data, '--port', '0', '--config', path.join(home, 'cairn.yaml'), ...args);
  const url = await eventually(async () => {
    const { out, err, status } = started.output();
    if (status !== null) throw new Error(`it ended with ${status}: ${err}`);
    return /^listening on (http:\/\/\S+)\n$/.exec(out)?.[1];
  });
  return { url, ...started };
}

async function tokenOf(data: string, user: string): Promise<string> {
  const { status, out, err } = await run(
    'token',
    '--data',
    data,
    '--config',
    path.join(home, 'cairn.yaml'),
    '--user',
    user,
  );
  expect([status, err]).toEqual([0, '']);
  return out.trim();
}

function client(url: string, token: string): (where: string, init?: RequestInit) => Promise<Response> {
  return (where, init = {}) =>
    fetch(`${url}${where}`, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
}

async function upload(
  send: ReturnType<typeof client>,
  label: string,
  files: Record<string, string | Uint8Array>,
): Promise<Response> {
  const body = new FormData();
  for (const [name, content] of Object.entries(files)) body.append('file', new Blob([content as string]), name);
  return send('/api/ingest/documents/local/upload', { method: 'POST', body, headers: { 'Security-Label': label } });
}

function update(send: ReturnType<typeof client>, label: string, text: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/sparql-update', 'Security-Label': label };
  return send('/api/graph/knowledge/update', { method: 'POST', body: text, headers });
}

async function idsOf(send: ReturnType<typeof client>, where: string): Promise<string[]> {
  const response = await send(where);
  if (response.status !== 200) throw new Error(`${where}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as Loose).results.map(({ id }: Loose) => id);
}

const ROVER = `INSERT DATA { <urn:rover> a <urn:Rover> ; <http://www.w3.org/2000/01/rdf-schema#label> "Lunokhod" }`;

describe('output that is cut off', () => {
  it('ends the command without a word', () => {
    const script = `for i in 1 2 3 4 5; do "${process.execPath}" "${CLI}" --help | head -1; done`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([stdout.split('\n').length, stderr]).toEqual([6, '']);
  });
});

describe('both walks with the built command', () => {
  it('an upload becomes a search result, an update reaches every cache, and a restart or a kill loses nothing', async () => {
    const data = path.join(home, 'walks');
    let server = await serve(data);
    const [alice, dieter] = [await tokenOf(data, 'alice'), await tokenOf(data, 'dieter')];
    let [asAlice, asDieter] = [client(server.url, alice), client(server.url, dieter)];
    const uploaded = await upload(asAlice, 'clearance=S&nationality=GBR', {
      'landing.pdf': readFileSync(path.join(APOLLO, 'apollo-11-landing.pdf')),
      'lightning.html': readFileSync(path.join(APOLLO, 'apollo-12-lightning.html')),
      'note.txt': 'A zebra crossing.',
    });
    expect(uploaded.status).toBe(202);
    expect((await update(asAlice, 'clearance=S', ROVER)).status).toBe(200);
    const answers = async (): Promise<string[][]> =>
      Promise.all(
        ['documents?query=landing', 'documents?query=lightning', 'documents?query=zebra', 'typeahead?query=lunok'].map(
          (where) => idsOf(asAlice, `/api/search/${where}`),
        ),
      );
    await eventually(async () => ((await answers()).every((ids) => ids.length > 0) ? true : undefined));
    const before = await answers();
    for (const query of ['landing', 'lightning', 'zebra'])
      expect(await idsOf(asDieter, `/api/search/documents?query=${query}`)).toEqual([]);
    expect(await idsOf(asDieter, '/api/search/typeahead?query=lunok')).toEqual([]);

    server.child.kill('SIGTERM');
    expect((await server.ended).status).toBe(0);
    server = await serve(data);
    [asAlice, asDieter] = [client(server.url, alice), client(server.url, dieter)];
    expect(await answers()).toEqual(before);

    expect((await upload(asAlice, '*', { 'killed.txt': 'A quagga in the fog.' })).status).toBe(202);
    expect(
      (await update(asAlice, '*', ROVER.replace('urn:rover', 'urn:killed').replace('Lunokhod', 'Quaggamobile'))).status,
    ).toBe(200);
    server.child.kill('SIGKILL');
    await server.ended;
    server = await serve(data);
    [asAlice, asDieter] = [client(server.url, alice), client(server.url, dieter)];
    expect(await answers()).toEqual(before);
    expect(await idsOf(asDieter, '/api/search/typeahead?query=quagga')).toEqual(['urn:killed']);
    expect(await eventually(async () => (await idsOf(asDieter, '/api/search/documents?query=fog'))[0])).toBeDefined();
    const ask = await asDieter(`/api/graph/knowledge/query?query=${encodeURIComponent('ASK { <urn:killed> ?p ?o }')}`);
    expect(await ask.json()).toMatchObject({ boolean: true });

    const second = await run('serve', '--data', data, '--port', '0', '--config', path.join(home, 'cairn.yaml'));
    expect([second.status, second.out]).toEqual([1, '']);
    const turtle = path.join(home, 'more.ttl');
    writeFileSync(turtle, '<urn:loaded> a <urn:Rover> ; <http://www.w3.org/2000/01/rdf-schema#label> "Yutu" .');
    const loaded = await run(
      'load',
      'knowledge',
      turtle,
      '--label',
      '*',
      '--data',
      data,
      '--config',
      path.join(home, 'cairn.yaml'),
    );
    expect([loaded.status, loaded.out]).toEqual([0, 'loaded 1 files into knowledge\n']);
    expect(await idsOf(asDieter, '/api/search/typeahead?query=yut')).toEqual(['urn:loaded']);
    const flags = ['--data', data, '--config', path.join(home, 'cairn.yaml')];
    for (const cache of ['search', 'knowledge']) {
      expect(await run('rebuild', cache, ...flags)).toMatchObject({
        status: 0,
        out: expect.stringContaining(`rebuilt ${cache}`),
      });
      expect(await answers()).toEqual(before);
    }
    const [note] = await idsOf(asDieter, '/api/search/documents?query=fog');
    expect(await run('forget', note as string, ...flags)).toMatchObject({
      status: 0,
      out: expect.stringContaining('forgot'),
    });
    expect(await idsOf(asDieter, '/api/search/documents?query=fog')).toEqual([]);
    const copy = path.join(home, 'copy');
    expect(await run('backup', copy, ...flags)).toMatchObject({ status: 0, out: expect.stringContaining('backed up') });
    expect(await run('backup', copy, ...flags)).toMatchObject({ status: 2 });
    // Where no folder can be made; the server goes on.
    expect(await run('backup', '/proc/cairn/copy', ...flags)).toMatchObject({ status: 1 });
    expect(await answers()).toEqual(before);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ status: 0 });

    const restored = path.join(home, 'restored');
    expect(await run('restore', copy, '--data', restored)).toMatchObject({ status: 0 });
    server = await serve(restored);
    asAlice = client(server.url, alice);
    expect(await answers()).toEqual(before);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ status: 0 });
  });

  it('keeps what cannot be processed as dead letters, which an operator lists, shows and tries again', async () => {
    const data = path.join(home, 'letters');
    const flags = ['--data', data, '--config', path.join(home, 'cairn.yaml')];
    const events = path.join(home, 'events');
    mkdirSync(events);
    writeFileSync(path.join(events, '1-broken.ttl'), '<urn:a> <urn:b');
    writeFileSync(
      path.join(events, '2-good.ttl'),
      '<urn:replayed> <http://www.w3.org/2000/01/rdf-schema#label> "Replayed" .',
    );
    expect(await run('replay', events, '--topic', 'knowledge', ...flags)).toMatchObject({
      status: 0,
      out: 'appended 2 events to knowledge\n',
    });
    const listed = await run('dead-letters', 'list', ...flags);
    const [topic, position] = listed.out.split('\t') as [string, string];
    expect([listed.status, topic]).toEqual([0, 'knowledge']);
    const shown = await run('dead-letters', 'show', topic, position, ...flags);
    expect(shown.out).toContain('reason: Turtle syntax error on line 1');
    expect((await run('dead-letters', 'retry', topic, position, ...flags)).status).toBe(0);
    expect((await run('dead-letters', 'show', topic, 'nowhere', ...flags)).status).not.toBe(0);
  });
});

describe('cairn serve', () => {
  it('logs dead letters, who was not let in and why, and caches that are built anew, but no token', async () => {
    const data = path.join(home, 'logs');
    const server = await serve(data);
    const token = await tokenOf(data, 'alice');
    expect((await upload(client(server.url, token), '*', { 'broken.pdf': '%PDF-1.7 broken' })).status).toBe(202);
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    expect((await client(server.url, forged)('/api/search/indices')).status).toBe(401);
    expect((await run('rebuild', 'search', '--data', data, '--config', path.join(home, 'cairn.yaml'))).status).toBe(0);
    const lines = await eventually(async () => {
      const found = server
        .output()
        .err.split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      return found.some(({ msg }) => msg === 'an event is a dead letter') ? found : undefined;
    });
    expect(lines.find(({ msg }) => msg === 'an event is a dead letter')).toMatchObject({
      topic: 'document.extractrequest',
      group: 'ingest-extract-text',
      reason: expect.stringContaining('PDF'),
    });
    expect(lines.find(({ msg }) => msg === 'not let in')).toMatchObject({
      status: 401,
      reason: 'the token is invalid: its signature does not verify',
    });
    expect(lines.filter(({ cache }) => cache === 'search').map(({ msg }) => msg)).toEqual([
      'a cache is being built anew from the log, as asked for',
      'a cache was built anew from the log',
    ]);
    for (const secret of [token, forged]) expect(server.output().err).not.toContain(secret.slice(-60, -9));
  });

  it('says 503 on readyz after SIGTERM and serves on for a while, then ends', async () => {
    const file = path.join(home, 'retiring.yaml');
    writeFileSync(file, CONFIGURATION.replace('shutdownDelayMs: 0', 'shutdownDelayMs: 3000'));
    const started = start('serve', '--port', '0', '--config', file);
    const url = await eventually(async () => /^listening on (\S+)\n$/.exec(started.output().out)?.[1]);
    started.child.kill('SIGTERM');
    await eventually(async () => ((await fetch(`${url}/readyz`)).status === 503 ? true : undefined));
    expect((await fetch(`${url}/api/search/indices`)).status).toBe(401);
    expect((await started.ended).status).toBe(0);
  });

  it('says so when everything is in memory', async () => {
    const started = start('serve', '--port', '0', '--config', path.join(home, 'cairn.yaml'));
    await eventually(async () => (started.output().out.startsWith('listening on ') ? true : undefined));
    expect(started.output().err).toContain('everything is in memory');
    started.child.kill('SIGTERM');
    expect((await started.ended).status).toBe(0);
  });

  it('loads the demo set into an empty directory, and prints two lines that answer differently', async () => {
    const data = path.join(home, 'demo');
    const started = start('serve', '--demo', '--data', data, '--port', '0');
    const err = await eventually(async () => {
      const { err, status } = started.output();
      if (status !== null) throw new Error(err);
      return (err.match(/curl /g) ?? []).length === 2 ? err : undefined;
    });
    const lines = [...err.matchAll(/curl -s -H 'Authorization: (.*?)' '(.*?)'/g)].map(
      ([, token, url]) => [token as string, url as string] as const,
    );
    const answers = await Promise.all(
      lines.map(async ([Authorization, url]) => (await fetch(url, { headers: { Authorization } })).json() as Loose),
    );
    expect(answers[0].results.length).toBeGreaterThan(answers[1].results.length);
    expect(answers[1].results.length).toBeGreaterThan(0);
    started.child.kill('SIGTERM');
    expect((await started.ended).status).toBe(0);
    expect((await run('token', '--data', data, '--user', 'bob')).status).toBe(0);
    const none = await run('serve', '--demo', '--demo-directory', home, '--data', data);
    expect([none.status, none.err]).toEqual([2, expect.stringContaining('--demo-directory')]);
  });

  it('refuses a bad configuration with status 2, naming file, key, value and what was expected', async () => {
    const file = path.join(home, 'bad.yaml');
    writeFileSync(file, 'server: {port: high}\nindexes: []\n');
    const { status, out, err } = await run('serve', '--config', file);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(`${file}: server.port is "high"; expected a number`);
    expect(err).toContain(`${file}: indexes is an unknown key`);
  });
});

describe('the cairn command', () => {
  it('shows help and version, and refuses what it does not know with status 2', async () => {
    const help = await run('--help');
    expect([help.status, help.out]).toEqual([0, expect.stringContaining('Usage: cairn')]);
    expect(await run('--version')).toMatchObject({ status: 0, out: '0.1.0\n' });
    for (const args of [['dance'], ['serve', '--fast'], ['token'], []]) {
      expect([args, (await run(...args)).status]).toEqual([args, 2]);
    }
    expect((await run('serve', '--port', 'x')).status).toBe(2);
  });

  it('gives tokens to users of the configuration alone', async () => {
    const flags = ['--data', path.join(home, 'tokens'), '--config', path.join(home, 'cairn.yaml')];
    const { status, err } = await run('token', ...flags, '--user', 'mallory');
    expect([status, err]).toEqual([2, 'cairn: --user must be one of alice, dieter; got "mallory"\n']);
    expect((await run('token', '--user', 'alice', '--config', path.join(home, 'cairn.yaml'))).status).toBe(2);
    expect((await run('token', ...flags, '--user', 'alice')).out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  it('checks and prints a configuration', async () => {
    const file = path.join(home, 'cairn.yaml');
    expect(await run('config', 'check', '--config', file)).toMatchObject({ status: 0, out: `${file}: no faults\n` });
    expect((await run('config', 'check', '--config', file, '--print-config')).out).toContain('maxHeaderBytes: 32768');
  });
});
