import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BlobStoreHarness,
  blobStoreConformance,
  type EventLogHarness,
  eventLogConformance,
} from '@cairn/events/conformance';
import { describe, it } from 'vitest';
import { openFileBlobStore } from './blobs/file-blob-store.ts';
import { openFileEventLog } from './log/file-event-log.ts';

async function openLog(segmentBytes: number): Promise<EventLogHarness> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-log-'));
  const options = { directory, segmentBytes, maxEventBytes: 400_000 };
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
      const last = path.join(folder, (await readdir(folder)).sort().at(-1)!);
      await truncate(last, (await stat(last)).size - 5);
      return openFileEventLog(options);
    },
    async dispose() {
      await log.close();
      await rm(directory, { recursive: true });
    },
  };
}

async function openBlobs(): Promise<BlobStoreHarness> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-blobs-'));
  const blobs = await openFileBlobStore({ directory });
  return {
    blobs,
    async reopen() {
      await blobs.close();
      return openFileBlobStore({ directory });
    },
    async dispose() {
      await blobs.close();
      await rm(directory, { recursive: true });
    },
  };
}

describe('the file event log', () => {
  for (const { name, run } of eventLogConformance) it(name, () => run(() => openLog(64 * 1024 * 1024)));
});

describe('the file event log in segments of a batch or two', () => {
  for (const { name, run } of eventLogConformance) it(name, () => run(() => openLog(500)));
});

describe('the file blob store', () => {
  for (const { name, run } of blobStoreConformance) it(name, () => run(openBlobs));
});
