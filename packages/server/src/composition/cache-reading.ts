import path from 'node:path';
import type { BlobStore, Position } from '@cairn/events';
import { fromSequencePosition } from '@cairn/events/experimental';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { openFileBlobStore } from '@cairn/storage-fs';
import type { Configuration } from '../config/configuration.ts';
import type { StoredCache } from '../verification/caches.ts';
import { blobsWith } from './blob-views.ts';
import { isDamage } from './damage.ts';
import { Generations } from './generations.ts';
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

type Open = (blobs: BlobStore) => Promise<Openable>;

/** Opens every cache of a directory that no server uses, and makes and stores nothing. Cost: reads them one after the other. */
export async function readCaches(directory: string, configuration: Configuration): Promise<ReadCaches> {
  const blobs = readOnly(await openFileBlobStore({ directory: path.join(directory, 'blobs'), isReadOnly: true }));
  const nowMs = (): number => performance.now();
  const { indices, datasets } = configuration;
  const openSearch: Open = (scope) => openSearchIndex({ indices, blobs: scope, nowMs, mustExist: true });
  const openers: [name: string, place: string, open: Open][] = [['search', 'search-index', openSearch]];
  for (const name of Object.keys(datasets)) {
    const open: Open = (scope) => openGraphDataset({ name, blobs: scope, nowMs, mustExist: true });
    openers.push([name, `dataset-${name}`, open]);
  }
  const generations = new Generations(blobs);
  const whole: StoredCache[] = [];
  const damaged: { name: string; error: string }[] = [];
  for (const [name, place, open] of openers) {
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

async function readCache(blobs: BlobStore, open: Open): Promise<Omit<StoredCache, 'name'>> {
  let tie: LogTie = {};
  const note = async (stored: LogTie): Promise<void> => {
    tie = stored;
  };
  const cache = await open(checkedBlobs(blobs, note));
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
  return blobsWith(blobs, {
    put: async (name) => ({ name, sizeBytes: 0 }),
    putContent: async (name) => ({ name, sizeBytes: 0 }),
    delete: async () => undefined,
    replaceManifest: async () => undefined,
  });
}
