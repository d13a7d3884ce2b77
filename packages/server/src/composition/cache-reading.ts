import path from 'node:path';
import type { BlobStore } from '@cairn/events';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { openFileBlobStore } from '@cairn/storage-fs';
import type { Configuration } from '../config/configuration.ts';
import type { PositionedCache } from '../verification/caches.ts';
import { isDamage } from './damage.ts';
import { createGenerations } from './generations.ts';

/** The caches of a data directory that no server uses, opened by their own checks. */
export interface ReadCaches {
  readonly opened: readonly PositionedCache[];
  readonly damaged: readonly { readonly name: string; readonly error: string }[];
  close(): Promise<void>;
}

interface Openable {
  positions(): PositionedCache['positions'];
  close(): Promise<void>;
}

/** Opens every cache of a configuration, and stores nothing. Cost: reads them all into memory. */
export async function openCachesToRead(directory: string, configuration: Configuration): Promise<ReadCaches> {
  const blobs = readOnly(await openFileBlobStore({ directory: path.join(directory, 'blobs') }));
  const now = (): number => performance.now();
  const { indices, datasets } = configuration;
  const openers = new Map<string, (blobs: BlobStore, mustExist: boolean) => Promise<Openable>>([
    ['search-index', (scope, mustExist) => openSearchIndex({ indices, blobs: scope, now, mustExist })],
    ...Object.keys(datasets).map(
      (name) =>
        [
          `dataset-${name}`,
          (scope: BlobStore, mustExist: boolean) => openGraphDataset({ name, blobs: scope, now, mustExist }),
        ] as const,
    ),
  ]);
  const generations = createGenerations(blobs);
  const opened: (PositionedCache & { close(): Promise<void> })[] = [];
  const damaged: { name: string; error: string }[] = [];
  for (const [place, open] of openers) {
    const name = place === 'search-index' ? 'search' : place.slice('dataset-'.length);
    try {
      const { blobs: scope, isNew } = await generations.current(place);
      if (!isNew) opened.push(toPositioned(name, await open(scope, true)));
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    opened,
    damaged,
    async close() {
      for (const cache of opened) await cache.close();
      await blobs.close();
    },
  };
}

function toPositioned(name: string, cache: Openable): PositionedCache & { close(): Promise<void> } {
  return { name, positions: cache.positions(), close: () => cache.close() };
}

/** A store that keeps nothing of what it is given. */
function readOnly(blobs: BlobStore): BlobStore {
  return {
    put: async (name) => ({ name, sizeBytes: 0 }),
    putContent: async (name) => ({ name, sizeBytes: 0 }),
    get: (name, range) => blobs.get(name, range),
    stream: (name, range) => blobs.stream(name, range),
    list: (prefix) => blobs.list(prefix),
    delete: async () => undefined,
    readManifest: (name) => blobs.readManifest(name),
    replaceManifest: async () => undefined,
    close: () => blobs.close(),
  };
}
