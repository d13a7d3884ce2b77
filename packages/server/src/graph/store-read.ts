import { CodedError } from '@cairn/errors';
import { type GraphDataset, RDF_FORMATS, StoreDataset } from '@cairn/rdf-graph';
import type { HttpAnswer } from '../http/message.ts';
import { optionalText, type Parameter } from '../parameters/parameter.ts';
import type { SentValues } from '../parameters/read.ts';
import { parseForm } from '../parameters/sent.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, GRAPH_FAULTS } from './dataset.ts';
import { type GraphFormat, graphBody, patternOf, type WhichGraph } from './graph-body.ts';
import { requireAcceptable, withCharset } from './result-answer.ts';

/** More are written by a worker, in quads that the caller may see. */
const MAX_QUADS_HERE = 5_000;

const WRITABLE = RDF_FORMATS.filter(({ writable }) => writable);
const GRAPH_TYPES = WRITABLE.flatMap(({ mediaTypes }) => mediaTypes);
/** Types for whole datasets: those that can name graphs. */
const DATASET_TYPES = WRITABLE.filter(({ quads }) => quads).flatMap(({ mediaTypes }) => mediaTypes);

const GRAPH: { readonly graph: Parameter<string | undefined>; readonly default: Parameter<string | undefined> } = {
  graph: optionalText('graph', { description: 'IRI of the named graph.' }),
  default: optionalText('default', { description: 'The default graph; its value does not matter.' }),
};

/** `GET /{dataset}/data`: the read of the graph store protocol. */
export const graphStoreRead: Route = defineRoute({
  area: 'graph',
  method: 'GET',
  path: '/{dataset}/data',
  operation: 'graphStoreRead',
  summary: 'The default graph, one named graph, or without either the whole dataset, as far as the caller may see it.',
  access: 'graph.read',
  ignoreUnknown: true,
  parameters: { ...DATASET, ...GRAPH },
  answers: [
    { status: 200, description: 'The quads, in the format that Accept prefers.', types: GRAPH_TYPES },
    { status: 404, description: 'Unknown dataset, or a named graph that holds nothing the caller may see.' },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph }) {
    const dataset = datasetOf(context, name);
    const isDefault = namesDefault(parseForm(context.request.queryString));
    if (isDefault && graph !== undefined) throw both();
    const which = toWhich(isDefault, graph);
    const types = which.type === 'dataset' ? DATASET_TYPES : GRAPH_TYPES;
    const contentType = requireAcceptable(context.request.header('accept'), types);
    const count = await dataset.count(context.viewer, which.type === 'dataset' ? {} : patternOf(which));
    if (which.type === 'named' && count === 0) throw noGraph();
    const format = { contentType, prefixes: await dataset.prefixes(context.viewer) };
    return count > MAX_QUADS_HERE ? inWorker(context, dataset, which, format) : here(context, dataset, which, format);
  },
});

function toWhich(isDefault: boolean, iri: string | undefined): WhichGraph {
  if (isDefault) return { type: 'default' };
  return iri === undefined ? { type: 'dataset' } : { type: 'named', iri };
}

function here({ viewer }: Context, dataset: GraphDataset, which: WhichGraph, format: GraphFormat): HttpAnswer {
  const headers = { 'Content-Type': withCharset(format.contentType), Vary: 'Accept' };
  return { status: 200, headers, body: graphBody(dataset, viewer, which, format) };
}

async function inWorker(
  context: Context,
  dataset: GraphDataset,
  which: WhichGraph,
  format: GraphFormat,
): Promise<HttpAnswer> {
  const { services, viewer, configuration, signal } = context;
  if (services.queryWorkers === undefined || !(dataset instanceof StoreDataset))
    return here(context, dataset, which, format);
  const { timeLimitMs } = configuration.graph;
  const snapshot = dataset.snapshot(viewer).share();
  const task = { kind: 'graph', dataset: dataset.name, snapshot, timeLimitMs, which, format } as const;
  return { status: 200, ...(await services.queryWorkers.answer(task, signal)) };
}

function namesDefault(sent: SentValues): boolean {
  return sent.has('default');
}

function noGraph(): CodedError {
  return new CodedError({ code: 'ERR_NO_GRAPH', kind: 'not-found', message: 'there is no graph of this name' });
}

function both(): CodedError {
  const message = 'query parameters graph and default exclude each other; got both';
  return new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
}
