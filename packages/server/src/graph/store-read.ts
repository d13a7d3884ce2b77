import { CodedError } from '@cairn/errors';
import { defaultGraph, type GraphDataset, namedNode, quad, RDF_FORMATS, serializeRdf } from '@cairn/rdf-graph';
import { optionalText, type Parameter } from '../parameters/parameter.ts';
import type { SentValues } from '../parameters/read.ts';
import { parseForm } from '../parameters/sent.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, GRAPH_FAULTS } from './dataset.ts';
import { requireAcceptable, withCharset } from './result-answer.ts';

type Quads = ReturnType<GraphDataset['match']>;

const WRITABLE = RDF_FORMATS.filter(({ writable }) => writable);
const GRAPH_TYPES = WRITABLE.flatMap(({ mediaTypes }) => mediaTypes);
/** What a whole dataset is written in: what can name graphs. */
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
    const isWhole = !isDefault && graph === undefined;
    const contentType = requireAcceptable(context.request.header('accept'), isWhole ? DATASET_TYPES : GRAPH_TYPES);
    const quads = isWhole ? dataset.match(context.viewer) : await graphOf(context, dataset, graph);
    const body = serializeRdf(quads, { contentType, prefixes: await dataset.prefixes() });
    return { status: 200, headers: { 'Content-Type': withCharset(contentType), Vary: 'Accept' }, body };
  },
});

function namesDefault(sent: SentValues): boolean {
  return sent.has('default');
}

/** One graph, without its name, as the protocol answers it. @throws `ERR_NO_GRAPH` (not-found) when it is empty. */
async function graphOf(
  { viewer }: Context,
  dataset: GraphDataset,
  graph: string | undefined,
): Promise<AsyncIterable<ReturnType<typeof quad>>> {
  const pattern = { graph: graph === undefined ? defaultGraph() : namedNode(graph) };
  if (graph !== undefined && (await dataset.count(viewer, pattern)) === 0) {
    throw new CodedError({ code: 'ERR_NO_GRAPH', kind: 'not-found', message: 'there is no graph of this name' });
  }
  return withoutGraph(dataset.match(viewer, pattern));
}

async function* withoutGraph(quads: Quads): AsyncGenerator<ReturnType<typeof quad>> {
  for await (const { subject, predicate, object } of quads) yield quad(subject, predicate, object);
}

function both(): CodedError {
  const message = 'query parameters graph and default exclude each other; got both';
  return new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
}
