import path from 'node:path';
import type { BlobStore, Position } from '@cairn/events';
import { fromSequencePosition } from '@cairn/events/experimental';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { openFileBlobStore } from '@cairn/storage-fs';
import type { Configuration } from '../config/configuration.ts';
import type { StoredCache } from '../verification/caches.ts';
import { isDamage } from './damage.ts';
import { createGenerations } from './generations.ts';
import { checkedBlobs, type LogTie } from './log-tie.ts';

/** Results of the caches' own checks of a data directory. */
export interface ReadCaches {
  readonly whole: readonly StoredCache[];
  readonly damaged: readonly { readonly name: string; readonly error: string }[];
}

interface Openable {
  positions(): StoredCache['positions'];
  close(): Promise<void>;
}

/** Opens every cache of a directory that no server uses, and makes and stores nothing. Cost: reads them one after the other. */
export async function readCaches(directory: string, configuration: Configuration): Promise<ReadCaches> {
  const blobs = readOnly(await openFileBlobStore({ directory: path.join(directory, 'blobs'), isReadOnly: true }));
  const nowMs = (): number => performance.now();
  const { indices, datasets } = configuration;
  const openers = new Map<string, (blobs: BlobStore, mustExist: boolean) => Promise<Openable>>([
    ['search-index', (scope, mustExist) => openSearchIndex({ indices, blobs: scope, nowMs, mustExist })],
    ...Object.keys(datasets).map(
      (name) =>
        [
          `dataset-${name}`,
          (scope: BlobStore, mustExist: boolean) => openGraphDataset({ name, blobs: scope, nowMs, mustExist }),
        ] as const,
    ),
  ]);
  const generations = createGenerations(blobs);
  const whole: StoredCache[] = [];
  const damaged: { name: string; error: string }[] = [];
  for (const [place, open] of openers) {
    const name = place === 'search-index' ? 'search' : place.slice('dataset-'.length);
    try {
      const { blobs: scope, isNew } = await generations.current(place);
      if (!isNew) whole.push({ name, ...(await readCache(scope, open)) });
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  await blobs.close();
  return { whole, damaged };
}

async function readCache(
  blobs: BlobStore,
  open: (blobs: BlobStore, mustExist: boolean) => Promise<Openable>,
): Promise<Omit<StoredCache, 'name'>> {
  let tie: LogTie = {};
  const note = async (stored: LogTie): Promise<void> => {
    tie = stored;
  };
  const cache = await open(checkedBlobs(blobs, note), true);
  const positions = cache.positions();
  await cache.close();
  return { positions: latest(positions, tie), tie };
}

/** How far a cache knows its topics: it may have been tied a moment after what it holds was gathered. */
function latest(positions: StoredCache['positions'], tie: LogTie): StoredCache['positions'] {
  const all: Record<string, Position> = { ...positions };
  for (const [topic, { position }] of Object.entries(tie)) {
    const known = all[topic];
    if (known === undefined || fromSequencePosition(position) > fromSequencePosition(known)) all[topic] = position;
  }
  return all;
}

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
