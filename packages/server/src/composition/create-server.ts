import { setTimeout as pause } from 'node:timers/promises';
import { CodedError, checkObject, checkPort, checkText, isCodedError } from '@cairn/errors';
import { countDeadLetters } from '@cairn/ingest';
import { createViewerOfEverything } from '@cairn/security';
import type { Logger } from 'pino';
import { createAuthenticator } from '../auth/authenticator.ts';
import type { Authenticator } from '../auth/user.ts';
import type { Configuration, ConfigurationInput } from '../config/configuration.ts';
import { completeConfiguration } from '../config/load.ts';
import { type OnFailure, openControlSocket } from '../control/server.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import type { HttpHandler, HttpListener } from '../http/message.ts';
import { listen } from '../http/node-http.ts';
import { createRequestIds } from '../http/request-id.ts';
import { createLogger, type LogDestination, requestLog } from '../operations/log.ts';
import { createMetrics, type Figures, type Metrics } from '../operations/metrics.ts';
import type { Notices } from '../operations/notices.ts';
import { createDispatcher } from '../routing/dispatcher.ts';
import type { RequestObserver } from '../routing/observer.ts';
import type { Area } from '../routing/route.ts';
import { checkAdapterArguments, checkKeys } from './adapter-arguments.ts';
import type { Adapters } from './adapters.ts';
import { factsOf } from './cache-keeper.ts';
import { LiveServices } from './live-services.ts';
import { OPERATIONS } from './operations.ts';
import { routesOf } from './routes.ts';
import type { Service } from './service.ts';
import { openDirectoryStorage, openMemoryStorage, type Storage } from './storage.ts';
import { openService } from './wiring.ts';

/** Options of {@link createServer}. */
export interface ServerOptions {
  /** Settings; each one left out has its default. */
  readonly configuration?: ConfigurationInput;
  /** Where everything is kept. Default: in memory. */
  readonly dataDirectory?: string | undefined;
  /** Parts that take the place of the embedded ones. */
  readonly adapters?: Adapters;
  /** Where the log goes. Default: standard error. */
  readonly logTo?: LogDestination;
}

/** A server that was made but does nothing until it is started. */
export interface CairnServer {
  /**
   * Listens at once, answering 503, then opens the data and becomes ready. Returns `http://HOST:PORT`. A server that was
   * closed, or that failed to start, may be started again, unless adapters were closed with it; one in memory is empty
   * then.
   * @throws `ERR_SERVER_STARTED` (conflict) when it was started before; `ERR_SERVER_CLOSED` (unavailable) when it was
   *   closed meanwhile; `ERR_ADAPTERS_CLOSED` (conflict) when adapters were closed with it; `ERR_LOG_LOCKED` (conflict)
   *   when another process uses the data directory; `ERR_LISTEN` (unavailable) when a port is taken.
   */
  start(prepare?: (service: Service) => Promise<void>): Promise<string>;
  /** Where metrics are scraped, once it listens; `undefined` when they are off. */
  readonly metricsUrl: string | undefined;
  /**
   * A signed token for a user of the configuration, in mode local.
   * @throws `ERR_SERVER_NOT_STARTED` (conflict) before it is started and when it was closed
   */
  issueToken(userName: string): Promise<string>;
  /**
   * Answers 503 on `readyz` for `server.shutdownDelayMs` while it serves on, so that nobody sends it anything any more;
   * then closes.
   */
  retire(): Promise<void>;
  /**
   * Turns readiness false, lets running requests finish, makes the caches durable and lets go of the data. A start that is
   * under way ends first: nothing listens when this resolves.
   */
  close(): Promise<void>;
}

const OPTIONS: Readonly<Record<keyof ServerOptions, true>> = {
  configuration: true,
  dataDirectory: true,
  adapters: true,
  logTo: true,
};

/**
 * A server. Without options everything is in memory, and nobody is configured to see anything.
 * @throws `ERR_CONFIGURATION` (invalid) for a bad configuration, `ERR_ARGUMENT` (invalid) for options that are none
 */
export function createServer(options: ServerOptions = {}): CairnServer {
  checkObject(options, 'the options of createServer');
  checkKeys(options, OPTIONS, 'the options of createServer');
  const { configuration = {}, dataDirectory, adapters, logTo } = options;
  checkObject(configuration, 'configuration');
  if (dataDirectory !== undefined) checkText(dataDirectory, 'dataDirectory');
  if (adapters !== undefined) checkAdapterArguments(adapters);
  if (logTo !== undefined) checkPort(logTo, 'write', 'logTo');
  return new Server(completeConfiguration(configuration), options);
}

class Server implements CairnServer {
  readonly #configuration: Configuration;
  readonly #options: ServerOptions;
  readonly #listeners: HttpListener[] = [];
  readonly #logger: Logger;
  #storage: Storage | undefined;
  #services: LiveServices | undefined;
  #service: Service | undefined;
  #started: Promise<string> | undefined;
  readonly #closedAdapters = new Set<keyof Adapters>();
  #isClosing = false;
  metricsUrl: string | undefined;

  constructor(configuration: Configuration, options: ServerOptions) {
    this.#configuration = configuration;
    this.#options = options;
    this.#logger = createLogger(configuration.server.logLevel, options.logTo);
  }

  async start(prepare?: (service: Service) => Promise<void>): Promise<string> {
    if (this.#started !== undefined) {
      const message = 'the server was started already: close it before it is started again';
      throw new CodedError({ code: 'ERR_SERVER_STARTED', kind: 'conflict', message });
    }
    this.#checkAdaptersOpen();
    this.#isClosing = false;
    const started = this.#start(prepare);
    this.#started = started;
    try {
      return await started;
    } catch (error) {
      if (!this.#isClosing) this.#started = undefined;
      throw error;
    }
  }

  /** @throws `ERR_ADAPTERS_CLOSED` (conflict): they belong to who made them, and no new ones are at hand. */
  #checkAdaptersOpen(): void {
    if (this.#closedAdapters.size === 0) return;
    const names = [...this.#closedAdapters].map((name) => `adapters.${name}`).join(', ');
    const message = `the server cannot be started again: ${names} was closed with it. Make another server`;
    throw new CodedError({ code: 'ERR_ADAPTERS_CLOSED', kind: 'conflict', message });
  }

  async #start(prepare: ((service: Service) => Promise<void>) | undefined): Promise<string> {
    try {
      return await this.#openAll(prepare);
    } catch (error) {
      await this.#releaseAll();
      throw this.#isClosing ? closedError(error) : error;
    }
  }

  async #openAll(prepare: ((service: Service) => Promise<void>) | undefined): Promise<string> {
    const { dataDirectory, adapters = {} } = this.#options;
    const opening =
      dataDirectory === undefined
        ? openMemoryStorage(adapters)
        : openDirectoryStorage(dataDirectory, adapters, (error) =>
            this.#logger.error(factsOf(error), 'the lock of the data directory is lost: nothing is written any more'),
          );
    const storage = await opening;
    this.#storage = storage;
    this.#checkWanted();
    if (storage.signingKey.isNew && (await storage.log.topics()).length > 0) {
      this.#logger.warn('the signing key was missing and another was made: tokens issued before are refused');
    }
    const notices: Notices = new Map();
    const authenticator = createAuthenticator(this.#configuration.auth, {
      signingKey: storage.signingKey,
      nowMs: Date.now,
      attributes: adapters.attributes,
    });
    this.#services = new LiveServices(storage, adapters, notices, authenticator);
    const url = await this.#listen(this.#services, authenticator);
    this.#checkWanted();
    const configuration = this.#configuration;
    this.#service = await openService({ configuration, storage, adapters, logger: this.#logger, notices });
    this.#checkWanted();
    await prepare?.(this.#service);
    this.#checkWanted();
    if (dataDirectory !== undefined) {
      const onFailure: OnFailure = (operation, error) =>
        this.#logger.error({ operation, ...factsOf(error) }, 'a command has failed');
      const socketPath = controlSocketPath(dataDirectory);
      this.#listeners.push(await openControlSocket(socketPath, this.#service, OPERATIONS, onFailure));
      this.#checkWanted();
    }
    this.#services.becomeReady(this.#service);
    return url;
  }

  /** @throws `ERR_SERVER_CLOSED` (unavailable) when the server was closed since it began to start. */
  #checkWanted(): void {
    if (this.#isClosing) throw closedError();
  }

  async issueToken(userName: string): Promise<string> {
    const key = this.#storage?.signingKey;
    checkText(userName, 'the name of a user');
    if (key === undefined) {
      const message = 'the server must be started before it issues a token';
      throw new CodedError({ code: 'ERR_SERVER_NOT_STARTED', kind: 'conflict', message });
    }
    const nowSeconds = Math.floor(Date.now() / 1000);
    return key.sign(userName, { nowSeconds, lifeSeconds: this.#configuration.auth.tokenSeconds });
  }

  async retire(): Promise<void> {
    if (this.#services !== undefined) this.#services.isRetiring = true;
    await pause(this.#configuration.server.shutdownDelayMs);
    await this.close();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const started = this.#started;
    // What is open already is let go of first, so that a start which takes long ends early.
    await this.#releaseAll();
    await started?.catch(() => undefined);
    if (this.#started === started) this.#started = undefined;
  }

  async #releaseAll(): Promise<void> {
    this.#services?.becomeStopping();
    const { shutdownGraceMs } = this.#configuration.server;
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close(shutdownGraceMs)));
    this.#noteClosed(this.#service, ['search', 'datasets', 'extractor']);
    this.#noteClosed(this.#storage, ['log', 'blobs']);
    await this.#service?.close();
    await this.#storage?.close();
    this.#service = undefined;
    this.#storage = undefined;
    this.metricsUrl = undefined;
  }

  #noteClosed(holder: Service | Storage | undefined, names: readonly (keyof Adapters)[]): void {
    const { adapters = {} } = this.#options;
    if (holder !== undefined)
      for (const name of names) if (adapters[name] !== undefined) this.#closedAdapters.add(name);
  }

  async #listen(services: LiveServices, authenticator: Authenticator): Promise<string> {
    const { host, port, ports, limits, metrics: settings } = this.#configuration.server;
    const metrics = settings.enabled ? createMetrics(() => figuresOf(services, this.#service)) : undefined;
    if (metrics !== undefined) services.observeEngine = metrics.observeEngine;
    const observer = this.#observer(metrics);
    const main = await listen({ host, port }, this.#dispatcher(services, authenticator, observer), limits);
    this.#listeners.push(main);
    for (const [area, areaPort] of Object.entries(ports) as [Area, number][]) {
      const handler = this.#dispatcher(services, authenticator, observer, area);
      this.#listeners.push(await listen({ host, port: areaPort }, handler, limits));
    }
    if (metrics !== undefined) {
      const listener = await listen({ host: settings.host, port: settings.port }, metrics.handler, limits);
      this.metricsUrl = `${listener.url}/metrics`;
      this.#listeners.push(listener);
    }
    return main.url;
  }

  #observer(metrics: Metrics | undefined): RequestObserver {
    const log = requestLog(this.#logger, this.#configuration.server.slowRequestMs, Date.now);
    return {
      observe(record) {
        log.observe(record);
        metrics?.observe(record);
      },
    };
  }

  #dispatcher(
    services: LiveServices,
    authenticator: Authenticator,
    observer: RequestObserver,
    area?: Area,
  ): HttpHandler {
    const routes = routesOf(this.#configuration);
    return createDispatcher({
      routes: area === undefined ? routes : routes.filter((route) => route.area === area || route.area === 'root'),
      services,
      configuration: this.#configuration,
      authenticator,
      nextRequestId: createRequestIds(),
      observer,
      nowMs: () => performance.now(),
    });
  }
}

function closedError(cause?: unknown): CodedError {
  if (isCodedError(cause) && cause.code === 'ERR_SERVER_CLOSED') return cause;
  const message = 'the server was closed while it started';
  return new CodedError({ code: 'ERR_SERVER_CLOSED', kind: 'unavailable', message, cause });
}

async function figuresOf(services: LiveServices, service: Service | undefined): Promise<Figures> {
  const ready = services.state() === 'ready';
  if (service === undefined) {
    const nothing = { projectors: [], datasetQuads: {}, indices: [], heavyQueries: 0, topicBytes: {} };
    return { ready, ...nothing, deadLetters: new Map() };
  }
  const { projectors } = await service.ingest.figures();
  const everything = createViewerOfEverything();
  const counts = [...service.datasets].map(async ([name, dataset]) => [name, await dataset.count(everything)] as const);
  return {
    ready,
    projectors,
    datasetQuads: Object.fromEntries(await Promise.all(counts)),
    indices: service.indexStatistics(),
    heavyQueries: service.queryWorkers?.running ?? 0,
    topicBytes: service.storage.topicBytes(),
    deadLetters: await countDeadLetters(service.ingest.log),
  };
}
