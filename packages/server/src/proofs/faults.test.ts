import path from 'node:path';
import { expect, it } from 'vitest';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { createFaultyDisk, type DiskFault } from './testing/faulty-disk.ts';
import { createRandom } from './testing/random.ts';
import { LONG } from './testing/scale.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const ROUNDS = LONG ? 200 : 12;
const BATCH = 4;
const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
const QUIET = { ...TEST_CONFIGURATION, server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' as const } };
/** Faults that end when the disk has room again. A failed fsync is not one of them. */
const FAULTS: readonly DiskFault[] = [
  { step: 'write', code: 'ENOSPC' },
  { step: 'write', code: 'ENOSPC', writesBytes: 7 },
  { step: 'write', code: 'EIO', writesBytes: 100 },
  { step: 'open', code: 'EMFILE' },
];

it(`refuses writes with the reason while the disk does, reads on, and is whole again without a restart, ${ROUNDS} times`, async () => {
  const random = createRandom(Date.now());
  const data = path.join(temporaryDirectory(), 'data');
  const disk = createFaultyDisk();
  const server = await startTestServer(QUIET, data, { fileSystem: disk });
  const written = new Map<string, boolean>();
  for (let round = 0; round < ROUNDS; round++) {
    await writeAll(server, `before${round}`, written);
    expect([...written].filter(([name, isDone]) => name.includes(`before${round}x`) && !isDone)).toEqual([]);
    const fault = FAULTS[random(FAULTS.length)] as DiskFault;
    disk.fault = fault;
    await writeAll(server, `during${round}`, written);
    await expectReadOnly(server, fault, `before${round}x0`);
    disk.fault = undefined;
    await expectReady(server);
  }
  await writeAll(server, 'after', written);
  await checkWritten(server, written);
  await server.server.close();
  expect(disk.openFiles).toBe(0);
  const again = await startTestServer(QUIET, data);
  await checkWritten(again, written);
  await again.server.close();
}, 1_200_000);

it('takes no write after a failed fsync until it is started again, and reads on', async () => {
  const data = path.join(temporaryDirectory(), 'data');
  const disk = createFaultyDisk();
  const server = await startTestServer(QUIET, data, { fileSystem: disk });
  const written = new Map<string, boolean>();
  await writeAll(server, 'before', written);
  disk.fault = { step: 'sync', code: 'EIO' };
  await writeAll(server, 'during', written);
  disk.fault = undefined;
  await writeAll(server, 'after', written);
  expect([...written].filter(([name, isDone]) => isDone !== name.includes('before'))).toEqual([]);
  await expectReadOnly(server, { step: 'sync', code: 'EIO' }, 'beforex0');
  await server.server.close();
  expect(disk.openFiles).toBe(0);
  const again = await startTestServer(QUIET, data);
  await writeAll(again, 'again', written);
  await checkWritten(again, written);
  expect([...written].filter(([name, isDone]) => name.includes('again') && !isDone)).toEqual([]);
  await again.server.close();
});

it('keeps the content of an upload that the log could not make durable: after the next start it is there or is not', async () => {
  const data = path.join(temporaryDirectory(), 'data');
  const disk = createFaultyDisk();
  const server = await startTestServer(QUIET, data, { fileSystem: disk });
  expect((await server.upload('alice', '*', { 'before.txt': 'before' })).status).toBe(202);
  disk.fault = { step: 'sync', code: 'EIO', below: '/log/topics/' };
  const large = { 'large.txt': `findable ${'-'.repeat(1_200_000)}` };
  expect((await server.upload('alice', '*', large)).status).toBe(503);
  disk.fault = undefined;
  await server.server.close();
  const again = await startTestServer(QUIET, data);
  // The write went through, and only its fsync failed: this log has kept it.
  await eventually(async () => {
    const { results } = await again.get('dieter', '/api/search/documents?query=findable');
    return results.length === 1 ? true : undefined;
  });
  await expectReady(again);
  await again.server.close();
});

/** Some writes at once; notes which of them were acknowledged. Every other answer says why not. */
async function writeAll(server: TestServer, prefix: string, written: Map<string, boolean>): Promise<void> {
  const names = Array.from({ length: 3 }, (_, i) => `${prefix}x${i}`);
  await Promise.all(
    names.flatMap((name) => [
      note(server.update('alice', '*', batchOf(name)), `graph ${name}`, written),
      note(server.upload('alice', '*', { [`${name}.txt`]: `storm ${name}` }), `document ${name}`, written),
    ]),
  );
}

function batchOf(name: string): string {
  const members = Array.from({ length: BATCH }, (_, i) => i).join(', ');
  return `INSERT DATA { <urn:${name}> <${NAME}> "${name}" ; <urn:member> ${members} }`;
}

async function note(sent: Promise<Response>, name: string, written: Map<string, boolean>): Promise<void> {
  const response = await sent;
  const body = await response.text();
  written.set(name, response.status < 300);
  if (response.status < 300) return;
  expect([name, response.status, response.headers.get('retry-after')], body).toEqual([name, 503, '1']);
  expect((JSON.parse(body) as Loose).detail, name).toMatch(/writ|disk|space|refuse/i);
}

/** While the disk refuses: not ready, and still answering. A fault that no write has met yet is not known. */
async function expectReadOnly(server: TestServer, fault: DiskFault, name: string): Promise<void> {
  const found = await server.get('dieter', `/api/search/typeahead?query=${name}&indices=search`);
  expect(found.results.map(({ id }: Loose) => id)).toEqual([`urn:${name}`]);
  // Files that are open stay open: only a new one meets this fault.
  if (fault.step === 'open') return;
  // A write that was on its way when the fault began may still succeed, so it is asked until both agree.
  await eventually(async () => {
    expect((await server.upload('alice', '*', { 'refused.txt': 'refused' })).status).toBe(503);
    const ready = await server.send(undefined, '/readyz');
    const { healthy, reasons = [] } = (await (await server.send(undefined, '/api/ingest/healthz')).json()) as Loose;
    return ready.status === 503 && !healthy && reasons.join().includes('cannot be written') ? true : undefined;
  });
}

function expectReady(server: TestServer): Promise<true> {
  return eventually(async () => ((await server.send(undefined, '/readyz')).status === 200 ? true : undefined));
}

/** Everything acknowledged is there once and whole; what was refused is whole or absent. */
async function checkWritten(server: TestServer, written: ReadonlyMap<string, boolean>): Promise<void> {
  const query = encodeURIComponent('SELECT ?s (COUNT(?m) AS ?n) { ?s <urn:member> ?m } GROUP BY ?s');
  const { results } = await server.get('alice', `/api/graph/knowledge/query?query=${query}`);
  const sizes = new Map<string, number>(
    results.bindings.map(({ s, n }: Loose) => [`graph ${s.value.replace('urn:', '')}`, Number(n.value)]),
  );
  expect([...sizes.values()].filter((size) => size !== BATCH)).toEqual([]);
  const isLost = (have: (name: string) => boolean, kind: string): string[] =>
    [...written].filter(([name, isDone]) => isDone && name.startsWith(kind) && !have(name)).map(([name]) => name);
  expect(isLost((name) => sizes.has(name), 'graph')).toEqual([]);
  await eventually(async () => {
    const names = await documentNames(server);
    expect(new Set(names).size).toBe(names.length);
    return isLost((name) => names.includes(name), 'document').length === 0 ? true : undefined;
  });
}

async function documentNames(server: TestServer): Promise<string[]> {
  const names: string[] = [];
  for (let offset = 1, isMore = true; isMore; offset += 1000) {
    const page = await server.get(
      'alice',
      `/api/search/documents?query=storm&indices=doc-content&limit=1000&offset=${offset}`,
    );
    names.push(...page.results.map(({ document }: Loose) => `document ${document.primaryName.replace('.txt', '')}`));
    isMore = page.maybeMore;
  }
  return names;
}
