import type { BlobStore } from '@cairn/events';
import { scopedBlobs } from './scoped-blobs.ts';

/**
 * Where each cache keeps its blobs. A rebuild fills a generation of its own while the one in use goes on, so that a
 * crash at any moment leaves one of the two whole.
 */
export interface Generations {
  /** The blobs of the generation of a cache that is in use. */
  current(cache: string): Promise<BlobStore>;
  /** The blobs of a new, empty one, and the step that puts it in use and removes the others. */
  next(cache: string): Promise<{ readonly blobs: BlobStore; adopt(): Promise<void> }>;
}

interface Counters {
  readonly current: number;
  /** The last one that a rebuild began: manifests cannot be removed, so each try gets names of its own. */
  readonly begun: number;
}

/** The generations of the caches in a blob store. */
export function createGenerations(store: BlobStore): Generations {
  return {
    current: async (cache) => scopedBlobs(store, prefixOf(cache, (await readCounters(store, cache)).current)),
    async next(cache) {
      const { current, begun } = await readCounters(store, cache);
      const next = Math.max(current, begun) + 1;
      await writeCounters(store, cache, { current, begun: next });
      return {
        blobs: scopedBlobs(store, prefixOf(cache, next)),
        async adopt() {
          await writeCounters(store, cache, { current: next, begun: next });
          for (let old = 0; old < next; old++) await empty(store, prefixOf(cache, old));
        },
      };
    },
  };
}

async function readCounters(store: BlobStore, cache: string): Promise<Counters> {
  const bytes = await store.readManifest(manifestOf(cache));
  return bytes === undefined ? { current: 0, begun: 0 } : (JSON.parse(new TextDecoder().decode(bytes)) as Counters);
}

function writeCounters(store: BlobStore, cache: string, counters: Counters): Promise<void> {
  return store.replaceManifest(manifestOf(cache), new TextEncoder().encode(JSON.stringify(counters)));
}

function manifestOf(cache: string): string {
  return `caches/${cache}/generation`;
}

function prefixOf(cache: string, generation: number): string {
  return `caches/${cache}/${generation}/`;
}

async function empty(store: BlobStore, prefix: string): Promise<void> {
  for await (const { name } of store.list(prefix)) await store.delete(name);
}
