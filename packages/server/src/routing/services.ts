import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { Ingest } from '@cairn/ingest';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { QueryWorkers } from '../graph/workers/query-workers.ts';
import type { ObserveEngine } from '../operations/engine-timings.ts';
import type { VersionInfo } from '../operations/version-info.ts';

export type ServiceState = 'starting' | 'ready' | 'stopping';

/** Health of the service, with reasons when it cannot do its work. Holds no counts and no names of data. */
export interface HealthStatus {
  readonly healthy: boolean;
  /** Why it is unhealthy, and what is being mended while it serves: a cache that is built anew. */
  readonly reasons: readonly string[];
  /** True when writes are refused at the moment although reads go on. */
  readonly writable: boolean;
}

/** Services behind the endpoints. Engines exist once the state is `ready`; using them earlier is a defect. */
export interface Services {
  state(): ServiceState;
  /** True when it was told to stop and serves on for a while; `readyz` says 503 then. */
  readonly isRetiring: boolean;
  health(): Promise<HealthStatus>;
  readonly versions: { readonly search: VersionInfo; readonly ingest: VersionInfo };
  /** The lowest level of conformance of the parts in use. */
  readonly conformance: ConformanceLevel;
  /** `undefined` when no index is available. */
  readonly search: SearchIndex | undefined;
  readonly datasets: ReadonlyMap<string, GraphDataset>;
  readonly ingest: Ingest;
  /** Where heavy queries are evaluated; `undefined` when all are on the main thread. */
  readonly queryWorkers: QueryWorkers | undefined;
  readonly observeEngine: ObserveEngine;
}
