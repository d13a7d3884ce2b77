import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createMemoryEventLog, type EventLog } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../composition/service.ts';
import { testDirectories } from '../proofs/testing/temporary-directory.ts';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { retryLetters } from './dead-letters.ts';
import { load } from './load.ts';
import type { Operation, OperationArguments } from './operation.ts';

let log: EventLog;
let server: TestServer;
let service: Service;
const directories = testDirectories();
const directory = directories.make();
beforeAll(async () => {
  log = createMemoryEventLog({ nowMs: Date.now });
  server = await startTestServer(TEST_CONFIGURATION, undefined, { log }, async (opened) => {
    service = opened;
  });
});
afterAll(async () => {
  await server.server.close();
  directories.remove();
});

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(directory, name);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

async function run(operation: Operation, args: OperationArguments): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of operation.run(service, args, AbortSignal.timeout(60_000))) lines.push(text);
  return lines;
}

const count = async () => (await service.datasets.get('knowledge')?.count(createViewerOfEverything())) ?? 0;

describe('cairn load', () => {
  it('takes folders with what is below them, in the order of names, and compressed files', async () => {
    const before = await count();
    file('set/b/second.nt', '<urn:b> <urn:p> "2" .\n');
    file('set/a.ttl.gz', gzipSync('<urn:a> <urn:p> "1" .'));
    file('set/c.nq', '<urn:c> <urn:p> "3" .\n');
    file('set/notes.txt', 'no RDF');
    file('set/.hidden/x.nt', 'no RDF');
    const lines = await run(load, { dataset: 'knowledge', files: [path.join(directory, 'set')] });
    expect(lines.map((line) => /set\/([^:]*):/.exec(line)?.[1])).toEqual([
      'a.ttl.gz',
      'b/second.nt',
      'c.nq',
      undefined,
    ]);
    expect(await count()).toBe(before + 3);
  });

  it.each([
    ['bad.ttl', '<urn:a> <urn:p> .', 'ERR_RDF_SYNTAX'],
    ['bad.nt.gz', 'not packed', 'ERR_USAGE'],
    [
      'rules.trig',
      '<urn:s> <urn:p> 1 . <http://telicent.io/security#labels> { [] <http://telicent.io/security#label> "a" }',
      'ERR_LABEL_RULE',
    ],
  ])('names %s, which cannot be read, keeps nothing of it, and what came before', async (name, content, code) => {
    const good = file('good.nt', `<urn:good> <urn:p> "${name}" .\n`);
    const [before, end] = [await count(), await log.end('knowledge')];
    const bad = file(name, content);
    const files = [good, bad, good];
    await expect(run(load, { dataset: 'knowledge', files })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(bad),
    });
    expect(await count()).toBe(before + 1);
    expect(await service.storage.log.lag('knowledge', end)).toBe(1);
  });

  it('refuses what is not there, what is no RDF and a folder without any, before it loads anything', async () => {
    const end = await log.end('knowledge');
    const good = file('good.nt', '<urn:good> <urn:p> "x" .\n');
    mkdirSync(path.join(directory, 'empty'), { recursive: true });
    for (const name of ['none.ttl', 'empty']) {
      const files = [good, path.join(directory, name)];
      await expect(run(load, { dataset: 'knowledge', files })).rejects.toMatchObject({ code: 'ERR_USAGE' });
    }
    const files = [good, file('notes.doc', 'x')];
    await expect(run(load, { dataset: 'knowledge', files })).rejects.toMatchObject({ code: 'ERR_USAGE' });
    expect(await log.end('knowledge')).toBe(end);
  });
});

describe('cairn dead-letters retry', () => {
  it('refuses a topic without dead letters, and names it', async () => {
    for (const topic of ['NOSUCH', 'NOSUCH.dlq']) {
      await expect(run(retryLetters, { topic })).rejects.toMatchObject({
        code: 'ERR_NO_DEAD_LETTER',
        message: expect.stringContaining('NOSUCH'),
      });
    }
  });
});
