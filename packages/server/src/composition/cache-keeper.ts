import type { CodedError } from '@cairn/errors';
import type { Clock, Ingest } from '@cairn/ingest';
import type { RebuildProgress } from '@cairn/search';
import type { Logger } from 'pino';
import type { Notices } from '../operations/notices.ts';
import { type CacheWatch, SEARCH } from './caches.ts';
import { isDamage } from './damage.ts';

export interface CacheKeeperOptions {
  readonly logger: Logger;
  readonly notices: Notices;
  readonly clock: Clock;
}

/** Fills a cache anew beside the one in use and puts it in its place; the old one is kept aside, at the path returned. */
export type Rebuild = (cache: string, signal: AbortSignal) => Promise<string | undefined>;

/** The longest wait for a position that the clock can make. */
const NEVER_MS = 2_147_483_647;
/** Between two tries to build a cache anew. */
const RETRY_MS = 10_000;

/** Keeps caches whole: what is damaged, lost or incomplete is told of, and built anew from the log meanwhile. */
export class CacheKeeper implements CacheWatch {
  readonly #options: CacheKeeperOptions;
  readonly #stopping = new AbortController();
  readonly #atWork = new Map<string, Promise<void>>();
  /** Caches that the projectors fill from the beginning. */
  readonly #renewed = new Set<string>();
  #rebuild: Rebuild | undefined;

  constructor(options: CacheKeeperOptions) {
    this.#options = options;
  }

  renewed(cache: string, error: unknown, keptAt: string | undefined): void {
    const { logger, notices } = this.#options;
    this.#renewed.add(cache);
    notices.set(keyOf(cache), `${titleOf(cache)} was damaged and is being built anew from the log`);
    logger.error({ cache, ...factsOf(error), keptAt }, 'a cache was damaged: it is being built anew from the log');
  }

  failed(cache: string, error: unknown): void {
    if (isDamage(error)) this.damaged(cache, error);
    else this.#options.logger.error({ cache, ...factsOf(error) }, 'a cache has failed in the background');
  }

  reindexed({ index, done, total }: RebuildProgress): void {
    const { logger } = this.#options;
    logger.warn({ index, done, total }, 'an index whose configuration changed is indexed anew');
  }

  damaged(cache: string, error: unknown): void {
    if (this.#rebuild === undefined || this.#atWork.has(cache) || this.#stopping.signal.aborted) return;
    const { logger, notices } = this.#options;
    notices.set(keyOf(cache), `${titleOf(cache)} is damaged and is being built anew from the log`);
    logger.error({ cache, ...factsOf(error) }, 'a cache is damaged: it is being built anew from the log');
    this.#work(cache, () => this.#replace(cache));
  }

  /** Indices were added that lack what the others have consumed. */
  incomplete(indices: readonly string[]): void {
    if (indices.length === 0) return;
    const { logger, notices } = this.#options;
    notices.set(keyOf(SEARCH), `indices were added and are being filled from the log: ${indices.join(', ')}`);
    logger.warn({ indices }, 'indices were added: they are being filled from the log');
    this.#work(SEARCH, () => this.#replace(SEARCH));
  }

  /** The index holds entities of datasets, by their topics, that are not configured any more. */
  orphaned(topics: readonly string[]): void {
    if (topics.length === 0 || this.#atWork.has(SEARCH)) return;
    const { logger, notices } = this.#options;
    notices.set(keyOf(SEARCH), `the search index is being built anew without removed datasets: ${topics.join(', ')}`);
    logger.warn({ topics }, 'datasets were removed: the search index is being built anew without their entities');
    this.#work(SEARCH, () => this.#replace(SEARCH));
  }

  /** Begins to work: the projectors run, and caches can be built anew. */
  start(ingest: Ingest, rebuild: Rebuild): void {
    this.#rebuild = rebuild;
    for (const cache of this.#renewed) this.#work(cache, () => this.#followed(cache, ingest));
  }

  /** Resolves when nothing is to be built anew any more. */
  async settled(): Promise<void> {
    while (this.#atWork.size > 0) await Promise.all(this.#atWork.values());
  }

  /** Ends what is under way; it begins again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  #work(cache: string, work: () => Promise<void>): void {
    const done = work().finally(() => {
      this.#atWork.delete(cache);
    });
    this.#atWork.set(cache, done);
  }

  /** Waits until the projectors have filled an empty cache up to what the log holds now. */
  async #followed(cache: string, ingest: Ingest): Promise<void> {
    const { signal } = this.#stopping;
    const feeders = ingest.projectors.filter(({ group, topic }) =>
      cache === SEARCH ? group.startsWith('search-') : group === 'graph' && topic === cache,
    );
    const waits = feeders.map((projector) => projector.waitForEnd({ timeoutMs: NEVER_MS, signal }));
    const outcomes = await Promise.allSettled(waits);
    if (!signal.aborted && outcomes.every(({ status }) => status === 'fulfilled')) this.#done(cache, undefined);
  }

  async #replace(cache: string): Promise<void> {
    const { signal } = this.#stopping;
    const { logger, clock } = this.#options;
    while (!signal.aborted) {
      try {
        return this.#done(cache, await this.#rebuild?.(cache, signal));
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ cache, ...factsOf(error) }, 'a cache could not be built anew: trying again');
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }

  #done(cache: string, keptAt: string | undefined): void {
    const { logger, notices } = this.#options;
    notices.delete(keyOf(cache));
    logger.warn({ cache, keptAt }, 'a cache was built anew from the log');
  }
}

function keyOf(cache: string): string {
  return `cache ${cache}`;
}

function titleOf(cache: string): string {
  return cache === SEARCH ? 'the search index' : `the dataset ${cache}`;
}

export function factsOf(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  const { code, message } = error as Partial<CodedError>;
  return { code, reason: message ?? String(error) };
}
