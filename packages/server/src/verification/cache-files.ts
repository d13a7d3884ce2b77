import type { BlobStore, EventLog } from '@cairn/events';
import { listSnapshotBlobs } from '@cairn/rdf-graph/experimental';
import { listIndexBlobs } from '@cairn/search/experimental';
import { isDamage } from '../composition/damage.ts';
import { Generations } from '../composition/generations.ts';
import { checkedBlobs, checkTie } from '../composition/log-tie.ts';
import type { Finding } from './finding.ts';
import { ofCache } from './stored-data.ts';

/** The names that a stored cache consists of by now; `undefined` when nothing is stored. */
type ListBlobs = (blobs: BlobStore) => Promise<string[] | undefined>;

/** How often the record of a cache that is stored again and again is compared with its files. */
const MAX_LOOKS = 20;

/**
 * Files that the caches of a server in use consist of, and that are missing, and caches that were made from another log.
 * The content of files is not read. Each cache may be stored anew meanwhile.
 * @param datasets the names of the datasets
 */
export async function* verifyCacheFiles(
  store: BlobStore,
  log: EventLog,
  datasets: Iterable<string>,
): AsyncGenerator<Finding> {
  const tied = (blobs: BlobStore): BlobStore => checkedBlobs(blobs, (tie) => checkTie(tie, log));
  const places: (readonly [place: string, list: ListBlobs])[] = [
    ['search-index', (blobs) => listIndexBlobs(tied(blobs))],
  ];
  for (const name of datasets) places.push([`dataset-${name}`, (blobs) => listSnapshotBlobs(tied(blobs), name)]);
  for (const [place, list] of places) {
    for (const reason of await missingOf(store, place, list)) yield ofCache(`the cache ${place}`, reason);
  }
}

async function missingOf(store: BlobStore, place: string, list: ListBlobs): Promise<readonly string[]> {
  try {
    return await findMissing(store, place, list);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Returns what is missing at two looks, since a flush between them may remove files it no longer names. */
async function findMissing(store: BlobStore, place: string, list: ListBlobs): Promise<readonly string[]> {
  let before: readonly string[] = [];
  for (let look = 0; look < MAX_LOOKS; look++) {
    const { blobs, isNew } = await new Generations(store).current(place);
    if (isNew) return [];
    const named = await list(blobs);
    const found = new Set<string>();
    for await (const { name } of blobs.list()) found.add(name);
    const now = named?.filter((name) => !found.has(name)).map((name) => `its blob ${name} is missing`);
    const missing = now ?? ['its manifest is missing'];
    const both = missing.filter((reason) => before.includes(reason));
    if (missing.length === 0 || both.length > 0) return both;
    before = missing;
  }
  return [];
}
