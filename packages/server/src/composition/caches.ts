import { CodedError, isCodedError } from '@cairn/errors';
import type { BlobStore, EventLog } from '@cairn/events';
import { type Allocate, allocatePrivate, allocateShared, type GraphDataset, openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex, type RebuildProgress, type SearchEngine, type SearchIndex } from '@cairn/search';
import type { Configuration } from '../config/configuration.ts';
import type { Adapters } from './adapters.ts';
import { isDamage } from './damage.ts';
import type { Generations, NextGeneration } from './generations.ts';
import { checkPositions, openTied } from './log-tie.ts';

/** A cache that a rebuild fills, and the step that puts its blobs in use. */
export interface FreshCache<Cache> extends Pick<NextGeneration, 'adopt'> {
  readonly cache: Cache;
}

export interface OpenedSearch {
  readonly index: SearchIndex;
  /** The same when it is embedded: it tells of its sizes, and can be purged. */
  readonly engine: SearchEngine | undefined;
  /** Configured indices that lack what the others have consumed. */
  readonly incomplete: readonly string[];
}

/** Is told what happens to caches. A cache is `search` or the name of a dataset. */
export interface CacheWatch {
  /** A cache could not be opened: it is empty now, and what it was is kept at a path, if at all. */
  renewed(cache: string, error: unknown, keptAt: string | undefined): void;
  failed(cache: string, error: unknown): void;
  /** Documents of an index whose configuration has changed were indexed anew in the background. */
  reindexed(progress: RebuildProgress): void;
}

/** Opens the caches of a configuration where their current generations are, or empty ones in new generations. */
export interface CacheFactory {
  /** One that is damaged or lost is set aside, and an empty one opened in its place. */
  openSearch(): Promise<OpenedSearch>;
  openDatasets(): Promise<Map<string, GraphDataset>>;
  freshSearch(): Promise<FreshCache<SearchEngine>>;
  freshDataset(name: string): Promise<FreshCache<GraphDataset>>;
}

/** The name by which commands and notices call the cache of the index. */
export const SEARCH = 'search';

const SEARCH_PLACE = 'search-index';

/** The clock that time limits are measured by. */
const nowMs = (): number => performance.now();

type Positioned = Pick<GraphDataset, 'positions' | 'flush'>;
type Open<Cache> = (blobs: BlobStore, mustExist: boolean) => Promise<Cache>;

export function createCaches(
  configuration: Configuration,
  generations: Generations,
  { adapters, log, watch }: { readonly adapters: Adapters; readonly log: EventLog; readonly watch: CacheWatch },
): CacheFactory {
  const search = (blobs: BlobStore, mustExist = false) => {
    const onFailure = (error: unknown): void => watch.failed(SEARCH, error);
    const onRebuild = (progress: RebuildProgress): void => watch.reindexed(progress);
    const { indices } = configuration;
    return openTied(blobs, log, (tied) =>
      openSearchIndex({ indices, blobs: tied, nowMs, mustExist, onFailure, onRebuild }),
    );
  };
  // Workers read the memory of the datasets in place.
  const allocate: Allocate = configuration.graph.queryWorkers > 0 ? allocateShared : allocatePrivate;
  const dataset = (name: string, blobs: BlobStore, mustExist = false): Promise<GraphDataset> =>
    openTied(blobs, log, (tied) => openGraphDataset({ name, blobs: tied, nowMs, allocate, mustExist }));
  const check = (cache: Positioned): Promise<void> => checkPositions(cache.positions(), log);
  const stored = <Cache extends Positioned>(name: string, place: string, open: Open<Cache>): Promise<Cache> =>
    openStored(generations, {
      ...{ place, open, check },
      onRenewed: (error, keptAt) => watch.renewed(name, error, keptAt),
    });
  return {
    async openSearch() {
      if (adapters.search !== undefined) return { index: adapters.search.port, engine: undefined, incomplete: [] };
      const engine = await stored(SEARCH, SEARCH_PLACE, search);
      return { index: engine, engine, incomplete: engine.incomplete };
    },
    async openDatasets() {
      const datasets = new Map<string, GraphDataset>();
      for (const name of Object.keys(configuration.datasets)) {
        const adapter = adapters.datasets?.[name]?.port;
        const open: Open<GraphDataset> = (blobs, mustExist) => dataset(name, blobs, mustExist);
        datasets.set(name, adapter ?? (await stored(name, placeOf(name), open)));
      }
      return datasets;
    },
    async freshSearch() {
      if (adapters.search !== undefined) throw notEmbedded('search', adapters.search.name);
      const { blobs, adopt } = await generations.next(SEARCH_PLACE);
      return { cache: await search(blobs), adopt };
    },
    async freshDataset(name) {
      const adapter = adapters.datasets?.[name];
      if (adapter !== undefined) throw notEmbedded(name, adapter.name);
      const { blobs, adopt } = await generations.next(placeOf(name));
      return { cache: await dataset(name, blobs), adopt };
    },
  };
}

interface StoredCache<Cache> {
  readonly place: string;
  readonly open: Open<Cache>;
  /** Refuses what was opened with an error that says that it is damaged. */
  readonly check: (cache: Cache) => Promise<void>;
  readonly onRenewed: (error: unknown, keptAt: string | undefined) => void;
}

/** A cache as it was stored; when that is damaged or lost, an empty one after it was set aside. */
async function openStored<Cache extends Positioned>(
  generations: Generations,
  { place, open, check, onRenewed }: StoredCache<Cache>,
): Promise<Cache> {
  try {
    const { blobs, isNew } = await generations.current(place);
    const cache = await open(blobs, !isNew);
    await check(cache);
    // From now on a manifest that is not there is one that was lost.
    await ifThereIsRoom(async () => {
      if (isNew) await cache.flush();
      await generations.establish(place);
    });
    return cache;
  } catch (error) {
    if (!isDamage(error)) throw error;
    const { blobs, keptAt, adopt } = await generations.renew(place);
    onRenewed(error, keptAt);
    const cache = await open(blobs, false);
    await ifThereIsRoom(async () => {
      await cache.flush();
      await adopt();
    });
    return cache;
  }
}

/** Without, the cache serves all the same; the next start finds it as it was before, and goes about it anew. */
async function ifThereIsRoom(record: () => Promise<void>): Promise<void> {
  try {
    await record();
  } catch (error) {
    if (!isCodedError(error) || error.kind !== 'unavailable') throw error;
  }
}

function notEmbedded(cache: string, adapter: string): CodedError {
  const message = `${cache} must be embedded to be rebuilt; it is ${adapter}: empty that and start again`;
  return new CodedError({ code: 'ERR_REBUILD_ADAPTER', kind: 'unsupported', message });
}

function placeOf(dataset: string): string {
  return `dataset-${dataset}`;
}
