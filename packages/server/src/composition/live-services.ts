import type { Ingest, ProjectorFigures } from '@cairn/ingest';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { Authenticator } from '../auth/user.ts';
import type { QueryWorkers } from '../graph/workers/query-workers.ts';
import { readBuildInfo } from '../operations/build-info.ts';
import { type ObserveEngine, timed } from '../operations/engine-timings.ts';
import type { Notices } from '../operations/notices.ts';
import { ingestVersions, searchVersions } from '../operations/version-info.ts';
import type { HealthStatus, ServiceState, Services } from '../routing/services.ts';
import { type Adapters, conformanceOf } from './adapters.ts';
import type { Service } from './service.ts';
import type { Storage } from './storage.ts';

const TIMED = ['search', 'typeahead', 'facets', 'states', 'getDocument', 'getDocuments', 'correctEntity'] as const;

/** Services of the endpoints through the life of one server: it starts, is ready, and stops. */
export class LiveServices implements Services {
  readonly versions: Services['versions'];
  readonly conformance: Services['conformance'];
  readonly #storage: Storage;
  readonly #notices: Notices;
  readonly #authenticator: Pick<Authenticator, 'fault'>;
  /** Told how long engines took; set before the service becomes ready. */
  observeEngine: ObserveEngine = () => undefined;
  search: SearchIndex | undefined;
  /** Set to true, readiness turns false, and everything is served on. */
  isRetiring = false;
  #state: ServiceState = 'starting';
  #service: Service | undefined;

  constructor(storage: Storage, adapters: Adapters, notices: Notices, authenticator: Pick<Authenticator, 'fault'>) {
    this.#storage = storage;
    this.#notices = notices;
    this.#authenticator = authenticator;
    this.conformance = conformanceOf(adapters);
    const build = readBuildInfo();
    this.versions = {
      search: searchVersions(build, adapters.search?.name),
      ingest: ingestVersions(build, storage.eventSource),
    };
  }

  becomeReady(service: Service): void {
    this.#service = service;
    this.search = timed(service.search, 'search', TIMED, (...call) => this.observeEngine(...call));
    this.#state = 'ready';
  }

  becomeStopping(): void {
    this.#state = 'stopping';
  }

  state(): ServiceState {
    return this.#state;
  }

  get datasets(): ReadonlyMap<string, GraphDataset> {
    return this.#opened().datasets;
  }

  get ingest(): Ingest {
    return this.#opened().ingest;
  }

  get queryWorkers(): QueryWorkers | undefined {
    return this.#opened().queryWorkers;
  }

  async health(): Promise<HealthStatus> {
    const writeError = await this.#storage.writeError();
    const faults = this.#state === 'ready' ? await projectionFaults(this.#opened()) : [`the service is ${this.#state}`];
    if (this.isRetiring && this.#state === 'ready') faults.push('the service is stopping');
    const identityFault = await this.#authenticator.fault();
    if (identityFault !== undefined) faults.push(identityFault.message);
    if (writeError !== undefined) faults.push(`events cannot be written: ${writeError.message}`);
    const reasons = [...faults, ...this.#notices.values()];
    return { healthy: faults.length === 0, reasons, writable: writeError === undefined };
  }

  #opened(): Service {
    if (this.#service === undefined) throw new Error('the service is not open');
    return this.#service;
  }
}

/** Codes of errors that one value alone has; others may concern anything that is read or written. */
const LOST_VALUE: ReadonlySet<string> = new Set(['ERR_BLOB_MISSING', 'ERR_VALUE_DAMAGED']);

function faultOf({ state, stalledBy = 'unknown' }: ProjectorFigures): string | undefined {
  if (state === 'failed') return 'has failed';
  if (state !== 'stalled') return undefined;
  if (LOST_VALUE.has(stalledBy)) {
    return 'stands before an event whose stored value is damaged or missing; see cairn verify';
  }
  return `stands still, as what it reads or writes fails (${stalledBy}); the log of the server says more`;
}

/** Projectors that do not go on; it names topics, which are configuration, and no counts. */
async function projectionFaults({ ingest }: Service): Promise<string[]> {
  const { projectors } = await ingest.figures();
  return projectors.flatMap((projector) => {
    const problem = faultOf(projector);
    if (problem === undefined) return [];
    return [`the projector ${projector.group} of the topic ${projector.topic} ${problem}`];
  });
}
