import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEvent } from '@cairn/events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blobFile } from '../blobs/check.ts';
import { checkLogFiles, type LogDamage, openFileBlobStore, openFileEventLog, repairFileEventLog } from '../index.ts';
import { nodeFileSystem } from './file-system.ts';

/** Things that may be in the place of a file, by how they are made. */
const KINDS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  'a folder': (file) => mkdir(file),
  'a pipe': async (file) => execFileSync('mkfifo', [file]),
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cairn-no-file-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function writeLog(): Promise<void> {
  const log = await openFileEventLog({ directory });
  const [position] = await log.append('t', [createEvent({ id: 'e', type: 't', value: 'kept' })]);
  await log.commit('g', 't', position);
  await log.close();
}

async function replaceBy(make: (file: string) => Promise<unknown>, file: string): Promise<void> {
  await rm(file, { force: true });
  await make(file);
}

describe.each(Object.entries(KINDS))('%s in the place of a file', (_kind, make) => {
  it('is refused by the file system at once, however it is opened', async () => {
    const file = path.join(directory, 'taken');
    await make(file);
    for (const mode of ['read', 'write'] as const) {
      await expect(nodeFileSystem.open(file, mode)).rejects.toMatchObject({
        code: expect.stringMatching(/^(EISDIR|ENXIO)$/),
      });
    }
  });

  it('of the positions of a log is damage that a check names and a repair sets aside', async () => {
    await writeLog();
    await replaceBy(make, path.join(directory, 'offsets'));
    await expect(openFileEventLog({ directory })).rejects.toMatchObject({ code: 'ERR_LOG_CORRUPT', kind: 'corrupt' });
    const found: LogDamage[] = [];
    for await (const damage of checkLogFiles({ directory })) found.push(damage);
    expect(found).toMatchObject([{ file: 'offsets', reason: expect.stringContaining('it is no file') }]);
    expect((await repairFileEventLog({ directory })).setAside).toMatchObject([{ file: 'offsets' }]);
    const log = await openFileEventLog({ directory });
    expect([await log.committed('g', 't'), (await log.eventAt?.('t', '0000000000000000'))?.topic]).toEqual([
      undefined,
      't',
    ]);
    await log.close();
  });

  it('of what a log can make anew is set aside when it opens', async () => {
    await writeLog();
    await replaceBy(make, path.join(directory, 'segments'));
    const log = await openFileEventLog({ directory });
    expect(await log.end('t')).toBeDefined();
    await log.close();
    expect(await readdir(path.join(directory, 'set-aside'))).toEqual([expect.stringMatching(/^segments\./)]);
  });

  it('of a segment or of the lock of a log is an error with a code', async () => {
    await writeLog();
    const topic = path.join(directory, 'topics', 't');
    const [segment] = await readdir(topic);
    await replaceBy(make, path.join(topic, segment));
    await expect(openFileEventLog({ directory })).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_LOG_/) });
    const other = path.join(directory, 'other');
    await mkdir(other);
    await make(path.join(other, 'lock'));
    await expect(openFileEventLog({ directory: other })).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_LOG_/),
    });
  });

  it('of a blob or a manifest is damage', async () => {
    const blobs = await openFileBlobStore({ directory });
    await blobs.put('a', new Uint8Array(9));
    await blobs.replaceManifest('m', new Uint8Array(9));
    await replaceBy(make, path.join(directory, blobFile('a')));
    await replaceBy(make, path.join(directory, 'manifests', 'm'));
    const damaged = { code: 'ERR_BLOB_CORRUPT', kind: 'corrupt' };
    await expect(blobs.get('a')).rejects.toMatchObject(damaged);
    await expect(blobs.stream('a')).rejects.toMatchObject(damaged);
    await expect(blobs.readManifest('m')).rejects.toMatchObject(damaged);
    await blobs.close();
  });
});
