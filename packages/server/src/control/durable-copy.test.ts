import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileSystem } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Service } from '../composition/service.ts';
import { createFaultyDisk } from '../proofs/testing/faulty-disk.ts';
import { startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';
import { backup } from './backup.ts';
import { makeCopyDurable } from './durable-copy.ts';

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-durable-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** The file system of the machine, and how many names each folder had when it was made durable last. */
function watchedFolders(): { fileSystem: FileSystem; folders: Map<string, number> } {
  const folders = new Map<string, number>();
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    async syncDirectory(directory) {
      await nodeFileSystem.syncDirectory(directory);
      folders.set(directory, readdirSync(directory).length);
    },
  };
  return { fileSystem, folders };
}

/** A folder and every folder in it, with how many names it has. */
function foldersUnder(directory: string): Map<string, number> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map([directory, ...folders].map((folder) => [folder, readdirSync(folder).length]));
}

describe('a backup', () => {
  it('has made the name of everything in it durable, and of the folders above that it made', async () => {
    const home = temporaryDirectory();
    const { fileSystem, folders } = watchedFolders();
    let service: Service | undefined;
    const server = await startTestServer(
      TEST_CONFIGURATION,
      path.join(home, 'data'),
      { fileSystem },
      async (opened) => {
        service = opened;
      },
    );
    onTestFinished(() => server.server.close());
    expect((await server.upload('alice', '*', { 'a.txt': 'about Ada '.repeat(200_000) })).status).toBe(202);
    expect((await server.update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> "c" }')).status).toBe(200);
    await service?.ingest.settle();
    folders.clear();
    const target = path.join(home, 'backups', 'of', 'today');
    for await (const _ of backup.run(service as Service, { directory: target }, new AbortController().signal));
    const expected = foldersUnder(target);
    expect([...expected.keys()].some((folder) => folder.includes(path.join('blobs', 'blobs')))).toBe(true);
    for (const [folder, names] of expected) expect([folder, folders.get(folder)]).toEqual([folder, names]);
    const above = [path.dirname(target), path.join(home, 'backups'), home];
    expect(above.filter((folder) => !folders.has(folder))).toEqual([]);
  });
});

describe('a backup to a full disk', () => {
  it('says which disk it is and what to do, wherever it has come to', async () => {
    const home = temporaryDirectory();
    const disk = createFaultyDisk();
    const target = path.join(home, 'backup');
    let fullAt = 'nowhere';
    const fileSystem: FileSystem = {
      ...disk,
      open: async (file, mode) => {
        const isFull = file.startsWith(target) && file.includes(fullAt) && mode !== 'read';
        if (isFull) disk.fault = { step: 'write', code: 'ENOSPC', writesBytes: 9 };
        return disk.open(file, mode);
      },
    };
    let service: Service | undefined;
    const server = await startTestServer(
      TEST_CONFIGURATION,
      path.join(home, 'data'),
      { fileSystem },
      async (opened) => {
        service = opened;
      },
    );
    onTestFinished(() => server.server.close());
    expect((await server.upload('alice', '*', { 'a.txt': 'about Ada '.repeat(200_000) })).status).toBe(202);
    await service?.ingest.settle();
    for (fullAt of ['.seg', path.join('blobs', 'drafts'), 'contents']) {
      rmSync(target, { recursive: true, force: true });
      const lines = backup.run(service as Service, { directory: target }, new AbortController().signal);
      const ended = (async () => {
        for await (const _ of lines);
      })();
      const message = expect.stringMatching(new RegExp(`^cannot write ${target}[^:]*: .*; the disk is full`));
      await expect(ended, fullAt).rejects.toMatchObject({ code: 'ERR_FILE_WRITE', message });
      disk.fault = undefined;
    }
  });
});

describe('a copy that is made durable', () => {
  it('has every folder in it made durable, and nothing above a folder that was there', async () => {
    const home = temporaryDirectory();
    const copy = path.join(home, 'copy');
    mkdirSync(path.join(copy, 'a', 'b'), { recursive: true });
    for (const name of ['one', 'a/two', 'a/b/three']) writeFileSync(path.join(copy, name), name);
    const { fileSystem, folders } = watchedFolders();
    await makeCopyDurable(copy, undefined, fileSystem);
    expect([...folders.keys()]).toEqual([path.join(copy, 'a', 'b'), path.join(copy, 'a'), copy]);
  });
});
