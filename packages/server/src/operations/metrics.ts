import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpHandler } from '../http/message.ts';
import type { RequestObserver } from '../routing/observer.ts';
import type { ObserveEngine } from './engine-timings.ts';

/** One projector, as operators watch it. It counts what nobody may see, so it is for operators alone. */
export interface ProjectorFigure {
  readonly topic: string;
  readonly group: string;
  readonly lag: number;
  readonly applied: number;
  /** Events that became dead letters since the start. */
  readonly deadLetters: number;
}

/** One index, as operators watch it. */
export interface IndexFigure {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
}

export interface Figures {
  readonly ready: boolean;
  readonly projectors: readonly ProjectorFigure[];
  readonly datasetQuads: Readonly<Record<string, number>>;
  /** Documents and bytes of the embedded index, by name. */
  readonly indices: readonly IndexFigure[];
  readonly heavyQueries: number;
  readonly deadLetters: ReadonlyMap<string, number>;
  /** Bytes of the log by topic. */
  readonly topicBytes: Readonly<Record<string, number>>;
}

/** The figures of one server, in the format of Prometheus. Every label has few values: operations, topics, datasets. */
export interface Metrics extends RequestObserver {
  readonly observeEngine: ObserveEngine;
  /** Answers `GET /metrics`. */
  readonly handler: HttpHandler;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Metrics of a server; figures are asked for at each scrape. */
export function createMetrics(figures: () => Promise<Figures>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'cairn_http_request_duration_seconds',
    help: 'Time until an answer began, by operation and status.',
    labelNames: ['operation', 'method', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const engines = new Histogram({
    name: 'cairn_engine_duration_seconds',
    help: 'Time that an engine took, by engine and operation.',
    labelNames: ['engine', 'operation'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const gauges = createGauges(registry);
  // Looking a series up by its labels each time costs more than the rest of a small request's bookkeeping.
  const requestSeries = new Map<string, Histogram.Internal<string>>();
  const engineSeries = new Map<string, Histogram.Internal<string>>();
  return {
    observe({ operation, method, status, durationMs }) {
      const key = `${operation} ${METHODS.has(method) ? method : 'other'} ${status}`;
      const series = recall(requestSeries, key, () => durations.labels(toLabels(operation, method, status)));
      series.observe(durationMs / 1000);
    },
    observeEngine(engine, operation, durationMs) {
      const series = recall(engineSeries, `${engine} ${operation}`, () => engines.labels({ engine, operation }));
      series.observe(durationMs / 1000);
    },
    async handler(request) {
      if (request.path !== '/metrics' || request.method !== 'GET') return { status: 404 };
      setGauges(gauges, await figures());
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
    },
  };
}

function recall<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

function toLabels(operation: string, method: string, status: number): Record<string, string | number> {
  return { operation: operation === '' ? 'none' : operation, method: METHODS.has(method) ? method : 'other', status };
}

type GaugeName =
  | 'ready'
  | 'lag'
  | 'applied'
  | 'deadLetters'
  | 'deadLettersThere'
  | 'quads'
  | 'documents'
  | 'indexBytes'
  | 'heavy'
  | 'topicBytes';

type Gauges = Readonly<Record<GaugeName, Gauge>>;

function createGauges(registry: Registry): Gauges {
  const gauge = (name: string, help: string, labelNames: string[]): Gauge =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    ready: gauge('cairn_ready', 'Whether the service takes work.', []),
    lag: gauge('cairn_projector_lag_events', 'Events that wait for a projector.', ['topic', 'group']),
    applied: gauge('cairn_projector_applied_events', 'Events a projector applied since the start.', ['topic', 'group']),
    deadLetters: gauge('cairn_projector_dead_letters', 'Events that became dead letters since the start.', [
      'topic',
      'group',
    ]),
    deadLettersThere: gauge('cairn_dead_letters', 'Dead letters that there are, by the topic they stand in.', [
      'topic',
    ]),
    quads: gauge('cairn_dataset_quads', 'Quads of a dataset.', ['dataset']),
    documents: gauge('cairn_index_documents', 'Documents of an index.', ['index']),
    indexBytes: gauge('cairn_index_bytes', 'Bytes of an index in memory.', ['index']),
    heavy: gauge('cairn_heavy_queries', 'Queries that worker threads are at.', []),
    topicBytes: gauge('cairn_log_topic_bytes', 'Bytes of a topic on disk.', ['topic']),
  };
}

function setGauges(gauges: Gauges, figures: Figures): void {
  const { ready, projectors, datasetQuads, indices, heavyQueries, topicBytes, deadLetters } = figures;
  gauges.ready.set(ready ? 1 : 0);
  gauges.heavy.set(heavyQueries);
  for (const { name: index, documents, bytes } of indices) {
    gauges.documents.set({ index }, documents);
    gauges.indexBytes.set({ index }, bytes);
  }
  for (const { topic, group, lag, applied, deadLetters } of projectors) {
    gauges.lag.set({ topic, group }, lag);
    gauges.applied.set({ topic, group }, applied);
    gauges.deadLetters.set({ topic, group }, deadLetters);
  }
  for (const [topic, count] of deadLetters) gauges.deadLettersThere.set({ topic }, count);
  for (const [dataset, quads] of Object.entries(datasetQuads)) gauges.quads.set({ dataset }, quads);
  for (const [topic, bytes] of Object.entries(topicBytes)) gauges.topicBytes.set({ topic }, bytes);
}
