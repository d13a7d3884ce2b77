import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BlobStoreHarness,
  blobStoreConformance,
  type EventLogHarness,
  eventLogConformance,
  seededRandom,
} from '@cairn/events/conformance';
import { describe, it } from 'vitest';
import { blobFile } from './blobs/check.ts';
import { openFileBlobStore } from './blobs/file-blob-store.ts';
import { type FileSystem, nodeFileSystem } from './files/file-system.ts';
import { openFileEventLog } from './log/file-event-log.ts';
import { lateFileSystem } from './testing/late-file-system.ts';

const IS_LONG = process.env['CAIRN_LONG'] === '1';

async function openLog(segmentBytes: number, fileSystem: FileSystem): Promise<EventLogHarness> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-log-'));
  const options = { directory, segmentBytes, maxEventBytes: 400_000, fileSystem };
  const log = await openFileEventLog(options);
  return {
    log,
    tooLargeBytes: 500_000,
    async reopen() {
      await log.close();
      return openFileEventLog(options);
    },
    async damageEnd(topic) {
      await log.close();
      const folder = path.join(directory, 'topics', topic);
      const last = path.join(folder, (await readdir(folder)).sort().slice(-1)[0]);
      await truncate(last, (await stat(last)).size - 5);
      return openFileEventLog(options);
    },
    async dispose() {
      await log.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function openBlobs(fileSystem: FileSystem): Promise<BlobStoreHarness> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-blobs-'));
  const blobs = await openFileBlobStore({ directory, fileSystem });
  return {
    blobs,
    ...(IS_LONG ? { sourceBytes: 64 * 1024 * 1024, sourceCount: 40 } : {}),
    async reopen() {
      await blobs.close();
      return openFileBlobStore({ directory, fileSystem });
    },
    async damage(name, how) {
      const file = path.join(directory, blobFile(name));
      const bytes = await readFile(file);
      const at = bytes.length >> 1;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(file, how === 'flip' ? bytes : bytes.subarray(0, -5));
    },
    async dispose() {
      await blobs.close();
      await rm(directory, { recursive: true });
    },
  };
}

const DISKS: Readonly<Record<string, () => FileSystem>> = {
  '': () => nodeFileSystem,
  ' on a busy disk': () => lateFileSystem(seededRandom(1)),
};

for (const [disk, createFileSystem] of Object.entries(DISKS)) {
  describe(`the file event log${disk}`, () => {
    for (const { name, run } of eventLogConformance) {
      it(name, () => run(() => openLog(64 * 1024 * 1024, createFileSystem())));
    }
  });

  describe(`the file event log in segments of a batch or two${disk}`, () => {
    for (const { name, run } of eventLogConformance) it(name, () => run(() => openLog(500, createFileSystem())));
  });

  describe(`the file blob store${disk}`, () => {
    for (const { name, run } of blobStoreConformance) {
      it(name, () => run(() => openBlobs(createFileSystem())), IS_LONG ? 600_000 : 60_000);
    }
  });
}
