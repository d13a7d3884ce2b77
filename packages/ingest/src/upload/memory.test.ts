import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type BlobInfo,
  type BlobSource,
  createHeaders,
  createMemoryBlobStore,
  createMemoryEventLog,
} from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { UploadPart } from '../port/upload-part.ts';
import { parseRoute } from '../routes/parser.ts';
import { createCounter } from '../testing/ids.ts';
import { IS_LONG, PROPERTY_TIMEOUT_MS } from '../testing/runs.ts';
import { UploadQueue } from './queue.ts';
import { acceptUpload } from './upload.ts';

const MIB = 1024 * 1024;
const PART_BYTES = 90 * MIB;
/** Parts over all uploads: 1 GiB here, 10 GiB in the long run. */
const PARTS = IS_LONG ? 120 : 12;
/** Of what is alive. Four uploads hold a few pieces each. */
const MAX_GROWTH = 32 * MIB;
const CHUNK = 64 * 1024;
/** Bytes of a part between two looks. */
const LOOK = 8 * MIB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that something refers to. Resident bytes would tell as much about when the collector likes to run. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A blob store that writes to nowhere: what it is handed must not stay in memory anywhere else either. */
function createSink(): ReturnType<typeof createMemoryBlobStore> {
  let count = 0;
  const putContent = async (prefix: string, source: BlobSource): Promise<BlobInfo> => {
    let sizeBytes = 0;
    if (!(source instanceof Uint8Array)) for await (const chunk of source) sizeBytes += chunk.length;
    return { name: `${prefix}${String(count++).padStart(64, '0')}`, sizeBytes };
  };
  return Object.assign(createMemoryBlobStore(), { putContent });
}

/** @param look is called now and then while the parts are read */
async function* manyParts(count: number, look: () => void): AsyncGenerator<UploadPart> {
  for (let part = 0; part < count; part++) {
    const content = async function* (): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < PART_BYTES; sent += CHUNK) {
        // As a socket does: a buffer of its own each time, and others run in between.
        if (sent % LOOK === 0) await new Promise((resolve) => setImmediate(resolve));
        if (sent % LOOK === 0) look();
        yield new Uint8Array(CHUNK).fill(part);
      }
    };
    yield { filename: `${part}.bin`, declaredType: undefined, content: content() };
  }
}

describe('uploads of many large parts', () => {
  it('stay within their memory while the log stalls, and are refused when the queue is full', {
    timeout: PROPERTY_TIMEOUT_MS,
  }, async () => {
    const log = createMemoryEventLog();
    const append = log.append.bind(log);
    let resume = (): void => {};
    const stalled = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let appended = 0;
    log.append = async (topic, batch) => {
      if (appended++ > 0) await stalled;
      return append(topic, batch);
    };
    const ports = { log, blobs: createSink(), queue: new UploadQueue({ maxUploads: 4 }), nextId: createCounter() };
    const route = parseRoute({ name: 'local', topic: 'native', namespace: 'urn:d:' }, { file: 'test' });
    const headers = createHeaders({ 'Security-Label': '*' });
    const base = liveBytes();
    let peak = base;
    let looks = 0;
    const look = (): void => {
      looks++;
      peak = Math.max(peak, liveBytes());
    };
    const upload = (parts: number): ReturnType<typeof acceptUpload> =>
      acceptUpload({ route, headers, parts: manyParts(parts, look), viewer: createViewer({ attributes: {} }) }, ports);

    await upload(1);
    const waiting = [upload(PARTS / 4), upload(PARTS / 4), upload(PARTS / 4), upload(PARTS / 4 - 1)];
    await expect(upload(1)).rejects.toMatchObject({ code: 'ERR_UPLOAD_QUEUE_FULL', kind: 'overloaded' });
    // Nothing is read any more: each has stored its files and waits for the log.
    while (appended < 1 + waiting.length) await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBeGreaterThan(PARTS * 10);
    resume();
    const outcomes = await Promise.all(waiting);
    expect(outcomes.flatMap(({ documents }) => documents).length).toBe(PARTS - 1);
    expect(peak - base).toBeLessThan(MAX_GROWTH);
  });
});
