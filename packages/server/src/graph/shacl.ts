import { isCodedError } from '@cairn/errors';
import { type GraphDataset, RDF_FORMATS, StoreDataset } from '@cairn/rdf-graph';
import type { ShaclLimits } from '@cairn/rdf-graph/shacl';
import { readBody } from '../http/body.ts';
import type { HttpAnswer } from '../http/message.ts';
import { optionalText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, endpointOf, GRAPH_FAULTS, GRAPH_READ } from './dataset.ts';
import { RDF_BODIES, rdfTypeOf } from './rdf-bodies.ts';
import { requireAcceptable } from './result-answer.ts';
import { type ShaclWork, shaclReport } from './shacl-report.ts';

const REPORT_TYPES = ['text/turtle', 'application/ld+json'];
const BODY_TYPES = RDF_FORMATS.filter(({ quads, format }) => !quads || format === 'json-ld').map(
  ({ mediaTypes }) => mediaTypes[0],
);
/** Without workers: between two focus nodes others have their turn, not within one. */
const NODE_TIME_LIMIT_MS = 1_000;
/** Longer bodies and larger datasets are left to a worker: they are indexed in one stretch. */
const MAX_BYTES_HERE = 65_536;
const MAX_QUADS_HERE = 20_000;

export const graphShacl: Route = defineRoute({
  ...GRAPH_READ,
  method: 'POST',
  path: '/{dataset}/shacl',
  operation: 'graphShacl',
  summary:
    'Validates the body against the shapes in it, or with `graph` the stored graph, as far as the caller sees it, against the shapes in the body.',
  intake: 'body',
  parameters: {
    ...DATASET,
    graph: optionalText('graph', { description: 'The stored graph to validate: `default`, `union` or an IRI.' }),
    target: optionalText('target', { description: 'The one node to validate: an IRI or a prefixed name.' }),
  },
  body: {
    types: BODY_TYPES,
    description: 'Shapes, and without `graph` the data as well.',
    media: {
      ...RDF_BODIES,
      'text/turtle': {
        example:
          '@prefix sh: <http://www.w3.org/ns/shacl#> . [] a sh:NodeShape ; sh:targetNode <https://example.org/s> .',
      },
    },
  },
  answers: [
    { status: 200, description: 'The report, whether or not the data conform.', types: REPORT_TYPES },
    { status: 400, description: 'Malformed RDF, with its position, or ill-formed shapes, which are named.' },
    { status: 404, description: 'Unknown dataset, or a named graph that holds nothing the caller may see.' },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph, target }) {
    const dataset = datasetOf(context, name);
    const reportType = requireAcceptable(context.request.header('accept'), REPORT_TYPES);
    const contentType = rdfTypeOf(context.request, BODY_TYPES);
    const { maxRdfBytes, bodyTimeoutMs } = context.configuration.server.limits;
    const shapes = await readBody(context.request, { maxBytes: maxRdfBytes, timeoutMs: bodyTimeoutMs });
    const baseIri = endpointOf(context.request);
    return validateHereOrThere(context, dataset, { shapes, contentType, baseIri, graph, target, reportType });
  },
});

/**
 * The report: validated here when it takes a moment, else in a worker thread, which others do not wait for and which can
 * be stopped. What turns out to be long begins anew there.
 */
async function validateHereOrThere(context: Context, dataset: GraphDataset, work: ShaclWork): Promise<HttpAnswer> {
  const { queryWorkers } = context.services;
  const isStored = work.graph !== undefined;
  const { timeLimitMs, shortQueryMs } = context.configuration.graph;
  if (queryWorkers === undefined || (isStored && !(dataset instanceof StoreDataset))) {
    return validateHere(context, dataset, work, timeLimitMs, NODE_TIME_LIMIT_MS);
  }
  const isLarge =
    work.shapes.length > MAX_BYTES_HERE || (isStored && (await dataset.count(context.viewer)) > MAX_QUADS_HERE);
  if (shortQueryMs > 0 && !isLarge) {
    try {
      return await validateHere(context, dataset, work, Math.min(shortQueryMs, timeLimitMs), shortQueryMs);
    } catch (error) {
      if (!isCodedError(error) || error.code !== 'ERR_TIME_LIMIT' || shortQueryMs >= timeLimitMs) throw error;
    }
  }
  const snapshot = isStored && dataset instanceof StoreDataset ? dataset.snapshot(context.viewer).share() : undefined;
  const prefixes = await dataset.prefixes(context.viewer);
  const user = context.user.name;
  const task = { ...work, kind: 'shacl', user, dataset: dataset.name, snapshot, prefixes, timeLimitMs } as const;
  return { status: 200, ...(await queryWorkers.answer(task, context.signal)) };
}

async function validateHere(
  { viewer, signal }: Context,
  dataset: GraphDataset,
  work: ShaclWork,
  timeLimitMs: number,
  nodeTimeLimitMs: number,
): Promise<HttpAnswer> {
  const limits: ShaclLimits = { signal, timeLimitMs, nodeTimeLimitMs, nowMs: () => performance.now() };
  return { status: 200, ...(await shaclReport(work, dataset, viewer, limits)) };
}
