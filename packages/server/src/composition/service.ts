import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { LogCut } from '@cairn/events';
import type { Ingest, RebuildOptions } from '@cairn/ingest';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { IndexStatistics, SearchIndex } from '@cairn/search';
import type { Configuration } from '../config/configuration.ts';
import type { QueryWorkers } from '../graph/workers/query-workers.ts';
import type { Storage } from './storage.ts';

/** The opened engines over the storage: what endpoints and operator's commands work with. */
export interface Service {
  readonly configuration: Configuration;
  readonly storage: Storage;
  /** The index as readers see it. */
  readonly search: SearchIndex;
  readonly datasets: ReadonlyMap<string, GraphDataset>;
  readonly ingest: Ingest;
  /** Where heavy queries are evaluated; `undefined` when all are on the main thread. */
  readonly queryWorkers: QueryWorkers | undefined;
  /** Sizes of the embedded index, for operators; empty for an adapter. */
  indexStatistics(): readonly IndexStatistics[];
  /** The lowest level of the parts in use. */
  readonly conformance: ConformanceLevel;
  /**
   * Fills a cache anew from the log: `search` or the name of a dataset.
   * @throws what `Ingest.rebuildSearch` throws; `ERR_REBUILD_ADAPTER` (unsupported) for one that is not embedded
   */
  rebuild(cache: string, options?: RebuildOptions): Promise<void>;
  /** Tells of an error that says that a cache, `search` or a dataset, is damaged: it is built anew in the background. */
  reportDamage(cache: string, error: unknown): void;
  /** Resolves when every cache that was damaged, lost or incomplete is whole, or when the service is closed. */
  repaired(): Promise<void>;
  /** Takes note of what the log has lost: it is reported no longer. Returns what was new. */
  acceptCuts(): Promise<readonly LogCut[]>;
  /**
   * Writes a cache anew without what was deleted from it, and makes it durable: no byte of that is left. It answers
   * meanwhile. Nothing is read from the log. One that is not embedded is left as it is.
   */
  purge(cache: string, options?: RebuildOptions): Promise<void>;
  /** To be called when every cache was purged of documents that were forgotten: they are reported no longer. */
  endForgetting(uris: readonly string[]): Promise<void>;
  /** Stops projecting, makes the caches durable, and closes them; the storage stays open. */
  close(): Promise<void>;
}
