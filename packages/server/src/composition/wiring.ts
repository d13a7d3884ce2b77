import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Clock,
  createIngest,
  type FlushPolicy,
  type Ingest,
  type RebuildOptions,
  type UploadQueueOptions,
} from '@cairn/ingest';
import { createExtractionPool, hashContent } from '@cairn/node-runtime';
import { type GraphDataset, StoreDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { Logger } from 'pino';
import type { Configuration } from '../config/configuration.ts';
import { QueryWorkers } from '../graph/workers/query-workers.ts';
import { readBuildInfo } from '../operations/build-info.ts';
import {
  clearLosses,
  clearUnfinishedForgetting,
  type Notices,
  reportLosses,
  reportUnfinishedForgetting,
} from '../operations/notices.ts';
import { projectorLog } from '../operations/projector-log.ts';
import { type Adapters, checkAdapters, conformanceOf } from './adapters.ts';
import { CacheKeeper, factsOf } from './cache-keeper.ts';
import { createCaches, type FreshCache, SEARCH } from './caches.ts';
import { catchUp } from './catch-up.ts';
import { isDamage } from './damage.ts';
import { Generations } from './generations.ts';
import type { Service } from './service.ts';
import type { Storage } from './storage.ts';

export interface ServiceOptions {
  readonly configuration: Configuration;
  readonly storage: Storage;
  readonly adapters: Adapters;
  readonly logger: Logger;
  /** Where operators are told what is being mended. */
  readonly notices: Notices;
}

/** Time as the engines are handed it. A sleep keeps the process alive: commands on a stopped server wait on nothing else. */
const CLOCK: Clock = {
  nowMs: () => Date.now(),
  sleep: (durationMs, signal) => pause(durationMs, undefined, { signal }).catch(() => undefined),
};

/** The longest pause that a timer can make. */
const NEVER_MS = 2_147_483_647;

/** How long opening waits for the caches; what is left is caught up while serving. */
const CATCH_UP_MS = 120_000;

/**
 * Opens the engines over the storage and starts to project: the one place where everything is put together.
 * Resolves when every cache has caught up with what was on the log.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { configuration, storage, adapters, logger, notices } = options;
  checkAdapters(adapters, configuration);
  const { log, blobs, fileLog } = storage;
  reportLosses(fileLog?.allCuts ?? [], { logger, notices });
  const keeper = new CacheKeeper({ logger, notices, clock: CLOCK });
  const caches = createCaches(configuration, new Generations(blobs, storage.setAside), {
    adapters,
    log,
    watch: keeper,
  });
  const { index, incomplete, ...opened } = await caches.openSearch();
  let { engine } = opened;
  const datasets = await caches.openDatasets();
  const extractor = adapters.extractor ?? createExtractionPool();
  const onCacheError = (cache: string, error: unknown): void => {
    if (isDamage(error)) keeper.damaged(cache, error);
  };
  const ingest = createIngest({
    log,
    blobs,
    search: index,
    datasets: [...datasets].map(([name, dataset]) => ({
      dataset,
      defaultLabel: configuration.datasets[name]?.defaultLabel,
    })),
    extractor,
    routes: configuration.routes,
    clock: CLOCK,
    nextId: randomUUID,
    hash: hashContent,
    generator: { name: 'cairn', version: readBuildInfo().versions['ingest'] ?? '0' },
    queue: uploadQueueOf(configuration),
    flushPolicy: flushPolicyOf(configuration),
    onNotice: projectorLog(logger),
    onCacheError,
    onDamage: (what, error) => logger.error({ what, ...factsOf(error) }, 'stored state was damaged and is made anew'),
  });
  reportUnfinishedForgetting(await ingest.unfinishedForgetting(), { logger, notices });
  // One at a time: each stops the projectors of the cache in use for a moment.
  let rebuilding: Promise<unknown> = Promise.resolve();
  const rebuild = (cache: string, { keep = false, ...options }: RebuildOptions & { keep?: boolean }) => {
    const done = rebuilding.then(async () => {
      if (cache !== SEARCH) {
        const fresh = await caches.freshDataset(cache);
        return replace(fresh, (into) => ingest.rebuildDataset(into, options), keep);
      }
      const fresh = await caches.freshSearch();
      const keptAt = await replace(fresh, (into) => ingest.rebuildSearch(into, options), keep);
      engine = fresh.cache;
      return keptAt;
    });
    rebuilding = done.catch(() => undefined);
    return done;
  };
  const purge = async (cache: string, options: RebuildOptions): Promise<void> => {
    if (cache === SEARCH) {
      await engine?.purge();
      return engine?.flush();
    }
    const source = ingest.dataset(cache);
    if (!(source instanceof StoreDataset)) return;
    const fresh = await caches.freshDataset(cache);
    if (!(fresh.cache instanceof StoreDataset)) return;
    await fresh.cache.copyFrom(source);
    await replace(fresh, (into) => ingest.rebuildDataset(into, options));
  };
  const queryWorkers = queryWorkersOf(configuration, onCacheError);
  await ingest.start();
  keeper.start(ingest, (cache, signal) => rebuild(cache, { keep: true, signal }));
  keeper.incomplete(incomplete);
  if (adapters.search === undefined) keeper.orphaned(orphansOf(index, ingest));
  await catchUp(ingest, CATCH_UP_MS, CLOCK);
  return {
    configuration,
    storage,
    search: ingest.search,
    datasets: new Map([...datasets.keys()].map((name) => [name, ingest.dataset(name) as GraphDataset])),
    ingest,
    queryWorkers,
    indexStatistics: () => engine?.statistics() ?? [],
    conformance: conformanceOf(adapters),
    async rebuild(cache, options = {}) {
      const startedMs = CLOCK.nowMs();
      logger.warn({ cache }, 'a cache is being built anew from the log, as asked for');
      await rebuild(cache, options);
      logger.warn({ cache, durationMs: CLOCK.nowMs() - startedMs }, 'a cache was built anew from the log');
    },
    purge(cache, options = {}) {
      const done = rebuilding.then(() => purge(cache, options));
      rebuilding = done.catch(() => undefined);
      return done;
    },
    async endForgetting(uris) {
      await ingest.endForgetting(uris);
      clearUnfinishedForgetting(notices);
    },
    reportDamage: (cache, error) => keeper.damaged(cache, error),
    repaired: () => keeper.settled(),
    async acceptCuts() {
      const cuts = (await fileLog?.acceptCuts()) ?? [];
      clearLosses(cuts, notices);
      return cuts;
    },
    async close() {
      await keeper.stop();
      await ingest.stop();
      await queryWorkers?.close();
      await extractor.close();
      await ingest.search.close();
      for (const name of datasets.keys()) await ingest.dataset(name)?.close();
    },
  };
}

/** Topics that an index has applied and that nothing carries into it any more: those of datasets that were removed. */
function orphansOf(index: SearchIndex, { projectors }: Ingest): string[] {
  const fed = new Set(projectors.filter(({ group }) => group.startsWith('search-')).map(({ topic }) => topic));
  return Object.keys(index.positions()).filter((topic) => !fed.has(topic));
}

/** Has a fresh cache filled, makes it the one in use and closes the old one; gives where that is kept. */
async function replace<Cache extends { flush(): Promise<void> }>(
  { cache, adopt }: FreshCache<Cache>,
  fill: (cache: Cache) => Promise<{ close(): Promise<void> }>,
  keep = false,
): Promise<string | undefined> {
  const old = await fill(cache);
  await cache.flush();
  const keptAt = await adopt({ keep });
  await old.close();
  return keptAt;
}

function queryWorkersOf(
  { graph }: Configuration,
  onFailure: (dataset: string, error: unknown) => void,
): QueryWorkers | undefined {
  const { queryWorkers: workers, queryWorkerMemoryMb: memoryMb, maxHeavyQueries: maxQueries } = graph;
  return workers === 0 ? undefined : new QueryWorkers({ workers, memoryMb, maxQueries, onFailure });
}

/** Unless configured, one user takes three quarters of the places at most: however slowly it sends, others find one. */
function uploadQueueOf({ server: { limits } }: Configuration): UploadQueueOptions {
  const { maxConcurrentUploads: maxUploads, maxConcurrentUploadsPerUser } = limits;
  return { maxUploads, maxUploadsPerSender: maxConcurrentUploadsPerUser ?? Math.ceil(maxUploads * 0.75) };
}

function flushPolicyOf({ snapshots: { intervalSeconds, events, megabytes } }: Configuration): FlushPolicy {
  return {
    intervalMs: intervalSeconds === 0 ? NEVER_MS : intervalSeconds * 1000,
    events: events === 0 ? Infinity : events,
    bytes: megabytes === 0 ? Infinity : megabytes * 1_048_576,
  };
}
