import type { ProjectorFigures } from '@cairn/ingest';
import type { IndexStatistics } from '@cairn/search';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpHandler } from '../http/message.ts';
import type { RequestObserver } from '../routing/observer.ts';
import type { ObserveEngine } from './engine-timings.ts';

/** Figures of a server. They count what nobody may see, so they are for operators alone. */
export interface Figures {
  readonly ready: boolean;
  readonly projectors: readonly ProjectorFigures[];
  readonly datasetQuads: Readonly<Record<string, number>>;
  readonly indices: readonly IndexStatistics[];
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
  const gauges = GAUGES.map(([name, help, labelNames, samplesOf]) => {
    return { gauge: new Gauge({ name, help, labelNames, registers: [registry] }), samplesOf };
  });
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
      const now = await figures();
      for (const { gauge, samplesOf } of gauges) for (const [labels, value] of samplesOf(now)) gauge.set(labels, value);
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

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

type GaugeRow = readonly [name: string, help: string, labels: string[], samples: (figures: Figures) => Sample[]];

/** Gauges with their labels, and what is shown of the figures. */
const GAUGES: readonly GaugeRow[] = [
  ['cairn_ready', 'Whether the service takes work.', [], ({ ready }) => [[{}, ready ? 1 : 0]]],
  ofProjectors('cairn_projector_lag_events', 'Events that wait for a projector.', 'lag'),
  ofProjectors('cairn_projector_applied_events', 'Events a projector applied since the start.', 'applied'),
  ofProjectors('cairn_projector_dead_letters', 'Events that became dead letters since the start.', 'deadLetters'),
  ofEach('cairn_dead_letters', 'Dead letters that there are, by the topic they stand in.', 'topic', (now) => [
    ...now.deadLetters,
  ]),
  ofEach('cairn_dataset_quads', 'Quads of a dataset.', 'dataset', (now) => Object.entries(now.datasetQuads)),
  ofEach('cairn_index_documents', 'Documents of an index.', 'index', ({ indices }) =>
    indices.map(({ name, documents }) => [name, documents]),
  ),
  ofEach('cairn_index_bytes', 'Bytes of an index in memory.', 'index', ({ indices }) =>
    indices.map(({ name, storedBytes, indexBytes }) => [name, storedBytes + indexBytes]),
  ),
  ['cairn_heavy_queries', 'Queries that worker threads are at.', [], ({ heavyQueries }) => [[{}, heavyQueries]]],
  ofEach('cairn_log_topic_bytes', 'Bytes of a topic on disk.', 'topic', (now) => Object.entries(now.topicBytes)),
];

function ofProjectors(name: string, help: string, figure: 'lag' | 'applied' | 'deadLetters'): GaugeRow {
  const samples = ({ projectors }: Figures): Sample[] =>
    projectors.map(({ topic, group, [figure]: value }) => [{ topic, group }, value]);
  return [name, help, ['topic', 'group'], samples];
}

function ofEach(
  name: string,
  help: string,
  label: string,
  of: (now: Figures) => [key: string, value: number][],
): GaugeRow {
  return [name, help, [label], (now) => of(now).map(([key, value]) => [{ [label]: key }, value])];
}
