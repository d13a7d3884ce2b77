import { CodedError } from '@cairn/errors';
import { findFormat, parseRdfBatches, RDF_FORMATS, serializeRdf } from '@cairn/rdf-graph';
import { parseTarget, type ShaclLimits, type ShaclReport, validate, validateStored } from '@cairn/rdf-graph/shacl';
import { readBody } from '../http/body.ts';
import { parseMediaType } from '../http/media-type.ts';
import { optionalText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, endpointOf, GRAPH_FAULTS } from './dataset.ts';
import { requireAcceptable, withCharset } from './result-answer.ts';

type Quad = Awaited<ReturnType<typeof readShapes>>['quads'][number];

const REPORT_TYPES = ['text/turtle', 'application/ld+json'];
const BODY_TYPES = RDF_FORMATS.filter(({ quads, format }) => !quads || format === 'json-ld').map(
  ({ mediaTypes }) => mediaTypes[0],
);
/** Between two focus nodes others have their turn, not within one. */
const NODE_TIME_LIMIT_MS = 1_000;

const REPORT_PREFIXES = { sh: 'http://www.w3.org/ns/shacl#', xsd: 'http://www.w3.org/2001/XMLSchema#' };

/** `POST /{dataset}/shacl`: validation. */
export const graphShacl: Route = defineRoute({
  area: 'graph',
  method: 'POST',
  path: '/{dataset}/shacl',
  operation: 'graphShacl',
  summary:
    'Validates the body against the shapes in it, or with `graph` the stored graph, as far as the caller sees it, against the shapes in the body.',
  access: 'graph.read',
  intake: 'body',
  ignoreUnknown: true,
  parameters: {
    ...DATASET,
    graph: optionalText('graph', { description: 'The stored graph to validate: `default`, `union` or an IRI.' }),
    target: optionalText('target', { description: 'The one node to validate: an IRI or a prefixed name.' }),
  },
  body: {
    types: BODY_TYPES,
    description: 'Shapes, and without `graph` the data as well.',
    example: '@prefix sh: <http://www.w3.org/ns/shacl#> . [] a sh:NodeShape ; sh:targetNode <https://example.org/s> .',
  },
  answers: [
    { status: 200, description: 'The report, whether or not the data conform.', types: REPORT_TYPES },
    { status: 400, description: 'Malformed RDF, with its position, or ill-formed shapes, which are named.' },
    { status: 404, description: 'Unknown dataset, or a named graph that holds nothing the caller may see.' },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph, target }) {
    const dataset = datasetOf(context, name);
    const contentType = requireAcceptable(context.request.header('accept'), REPORT_TYPES);
    const { quads, prefixes } = await readShapes(context);
    const limits = limitsOf(context);
    const report =
      graph === undefined
        ? await validateBody(quads, target, prefixes, limits)
        : await validateStored(dataset, context.viewer, quads, { ...limits, graph, target });
    const body = serializeRdf(report.quads, { contentType, prefixes: { ...REPORT_PREFIXES, ...prefixes } });
    return { status: 200, headers: { 'Content-Type': withCharset(contentType), Vary: 'Accept' }, body };
  },
});

function validateBody(
  quads: readonly Quad[],
  target: string | undefined,
  prefixes: Readonly<Record<string, string>>,
  limits: ShaclLimits,
): Promise<ShaclReport> {
  return validate(quads, quads, {
    ...limits,
    target: target === undefined ? undefined : parseTarget(target, prefixes),
  });
}

async function readShapes(context: Context) {
  const contentType = rdfTypeOf(context);
  const { maxRdfBytes, bodyTimeoutMs } = context.configuration.server.limits;
  const bytes = await readBody(context.request, { maxBytes: maxRdfBytes, timeoutMs: bodyTimeoutMs });
  const prefixes: Record<string, string> = {};
  const batches = parseRdfBatches(bytes, {
    contentType,
    baseIri: endpointOf(context.request),
    onPrefix: (prefix, iri) =>
      Object.defineProperty(prefixes, prefix, { value: iri, enumerable: true, configurable: true }),
    signal: context.signal,
  });
  const quads = [];
  for await (const batch of batches) quads.push(...batch);
  return { quads, prefixes };
}

function rdfTypeOf({ request }: Context): string {
  const sent = request.header('content-type');
  const format = sent === undefined ? undefined : findFormat(parseMediaType(sent)?.type ?? '');
  if (format !== undefined && BODY_TYPES.includes(format.mediaTypes[0])) return format.mediaTypes[0];
  throw new CodedError({
    code: 'ERR_MEDIA_TYPE',
    kind: 'unsupported',
    message: `Content-Type must be one of ${BODY_TYPES.join(', ')}; got ${sent === undefined ? 'none' : JSON.stringify(sent.slice(0, 100))}`,
  });
}

function limitsOf({ configuration, signal }: Context): ShaclLimits {
  const { timeLimitMs } = configuration.graph;
  return { signal, timeLimitMs, nodeTimeLimitMs: NODE_TIME_LIMIT_MS, now: () => performance.now() };
}
