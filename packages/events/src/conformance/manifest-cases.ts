import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import type { BlobStore } from '../blobs/blob-store.ts';
import { ensure, ensureEqual, ensureRefused } from './assertions.ts';
import { type BlobStoreHarness, listAll, patternBytes } from './blob-harness.ts';

/** Laws of manifests, closing and reopening. */
export const manifestCases: readonly ConformanceCase<BlobStoreHarness>[] = casesOf<BlobStoreHarness>('core', {
  async 'replaces a manifest as a whole'({ blobs }) {
    ensureEqual(await blobs.readManifest('m'), undefined, 'before the first');
    for (const size of [100, 5, 0, 70_000]) {
      await blobs.replaceManifest('m', patternBytes(size));
      ensureEqual(await blobs.readManifest('m'), patternBytes(size), `${size} bytes`);
    }
  },

  async 'keeps manifests and blobs apart'({ blobs }) {
    await blobs.put('x', patternBytes(3));
    await blobs.replaceManifest('x', patternBytes(4, 2));
    await blobs.replaceManifest('x/y', patternBytes(5, 3));
    await blobs.replaceManifest('__proto__', patternBytes(6));
    ensureEqual(await listAll(blobs), [{ name: 'x', sizeBytes: 3 }], 'list');
    await blobs.delete('x');
    ensureEqual(await blobs.readManifest('x'), patternBytes(4, 2), 'manifest after the blob was deleted');
    ensureEqual((await blobs.readManifest('x/y'))?.length, 5, 'manifest below another');
    ensureEqual((await blobs.readManifest('__proto__'))?.length, 6, 'manifest with the name of a prototype key');
    ensureEqual(await blobs.readManifest('constructor'), undefined, 'manifest that was never written');
  },

  async 'shows the old manifest or the new one to who reads during replacement'({ blobs }) {
    await blobs.replaceManifest('m', new Uint8Array(2000).fill(0));
    const contents = Array.from({ length: 20 }, (_, n) => new Uint8Array(2000).fill(n));
    const writing = Promise.all(contents.map((bytes) => blobs.replaceManifest('m', bytes)));
    for (let n = 0; n < 50; n++) {
      const bytes = await blobs.readManifest('m');
      ensure(bytes?.length === 2000 && bytes.every((byte) => byte === bytes[0]), 'the bytes of one replacement');
    }
    await writing;
    await blobs.replaceManifest('m', patternBytes(7));
    ensureEqual(await blobs.readManifest('m'), patternBytes(7), 'the last one');
  },

  async 'keeps its copy of a manifest'({ blobs }) {
    const bytes = patternBytes(10);
    const replaced = blobs.replaceManifest('m', bytes);
    bytes.fill(0);
    await replaced;
    (await blobs.readManifest('m'))?.fill(0);
    ensureEqual(await blobs.readManifest('m'), patternBytes(10), 'manifest');
  },

  async 'refuses every call after close'({ blobs }) {
    await blobs.put('a', patternBytes(1));
    await blobs.close();
    const calls: Record<string, () => unknown> = {
      put: () => blobs.put('b', patternBytes(1)),
      putContent: () => blobs.putContent('b/', patternBytes(1)),
      get: () => blobs.get('a'),
      stream: () => blobs.stream('a'),
      list: () => listAll(blobs),
      delete: () => blobs.delete('a'),
      readManifest: () => blobs.readManifest('m'),
      replaceManifest: () => blobs.replaceManifest('m', patternBytes(1)),
    };
    for (const [name, call] of Object.entries(calls)) await ensureRefused(call, 'ERR_BLOBS_CLOSED', name);
    await blobs.close();
  },

  async 'keeps blobs and manifests when reopened'({ blobs, reopen }) {
    await blobs.put('a/b', patternBytes(1000));
    await blobs.put('gone', patternBytes(1));
    await blobs.delete('gone');
    await blobs.replaceManifest('m', patternBytes(50));
    const again: BlobStore | undefined = await reopen?.();
    if (again === undefined) return;
    try {
      ensureEqual(await listAll(again), [{ name: 'a/b', sizeBytes: 1000 }], 'list');
      ensureEqual(await again.get('a/b'), patternBytes(1000), 'bytes');
      ensureEqual(await again.readManifest('m'), patternBytes(50), 'manifest');
    } finally {
      await again.close();
    }
  },
});
