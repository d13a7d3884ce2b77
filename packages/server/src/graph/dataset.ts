import { CodedError } from '@cairn/errors';
import type { Evaluation, GraphDataset } from '@cairn/rdf-graph';
import type { HttpRequest } from '../http/message.ts';
import { type ParametersOf, requiredText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import type { AnswerDescription } from '../routing/route.ts';

/** The path parameter of every graph endpoint. */
export const DATASET: ParametersOf<{ dataset: string }> = {
  dataset: requiredText('dataset', {
    description: 'Name of a configured dataset.',
    inPath: true,
    configured: ({ datasets }) => Object.keys(datasets),
    example: 'knowledge',
  }),
};

/** Of the endpoints that read in the words of a protocol. */
export const GRAPH_READ = { area: 'graph', access: 'graph.read', ignoreUnknown: true } as const;

/** The dataset of a name. @throws `ERR_NO_DATASET` (not-found). */
export function datasetOf({ services }: Context, name: string): GraphDataset {
  const dataset = services.datasets.get(name);
  if (dataset !== undefined) return dataset;
  throw new CodedError({ code: 'ERR_NO_DATASET', kind: 'not-found', message: 'there is no dataset of this name' });
}

const MIB = 1_048_576;

/** The graphs that a request names in place of those of its text. */
export interface StatedGraphs {
  readonly defaultGraphs: readonly string[];
  readonly namedGraphs: readonly string[];
}

export function toEvaluation(context: Context, graphs: StatedGraphs): Evaluation {
  const { configuration, signal, request, nextTurn } = context;
  const isStated = graphs.defaultGraphs.length > 0 || graphs.namedGraphs.length > 0;
  const { timeLimitMs, maxRows, maxMemoryMb } = configuration.graph;
  return {
    signal,
    nextTurn,
    budget: { timeLimitMs, maxRows, maxMemoryBytes: maxMemoryMb * MIB },
    baseIri: endpointOf(request),
    nowMs: Date.now(),
    random: Math.random,
    ...(isStated && graphs),
  };
}

/** The IRI of the endpoint as the client named it: what relative IRIs are resolved against. */
export function endpointOf(request: HttpRequest): string {
  const host = request.header('host') ?? '';
  return `http://${/^[A-Za-z0-9.-]+(:\d+)?$/.test(host) ? host : 'localhost'}${request.path}`;
}

export const GRAPH_FAULTS: readonly AnswerDescription[] = [
  { status: 400, description: 'Invalid request; syntax errors carry their position.' },
  { status: 401, description: 'No user.' },
  { status: 403, description: 'The user lacks the permission.' },
  { status: 404, description: 'Unknown dataset or endpoint.' },
  { status: 500, description: 'The server failed to process the request.' },
  { status: 503, description: 'The server still starts, or a time limit ran out.' },
];
