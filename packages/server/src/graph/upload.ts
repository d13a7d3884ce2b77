import { readBody } from '../http/body.ts';
import { statedText } from '../parameters/parameter.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, GRAPH_FAULTS } from './dataset.ts';
import { hiddenWarning, LABEL_HEADER, labelOf } from './label.ts';
import { absoluteIri, BASE, BASE_HEADER, statedBase } from './place.ts';
import { RDF_BODIES, STORED_TYPES, storedTypeOf } from './rdf-bodies.ts';

// Unspecified: a write that is durable but takes long to apply is no failure, and sent again it would come twice.
const LATE = 'Upload accepted: it is durable and being applied\n';

export const graphUpload: Route = defineRoute({
  area: 'graph',
  method: 'POST',
  path: '/{dataset}/upload',
  operation: 'graphUpload',
  summary: 'Adds RDF to a dataset; answers when every cache has applied it.',
  access: 'graph.write',
  intake: 'body',
  ignoreUnknown: true,
  parameters: {
    ...DATASET,
    graph: statedText('graph', {
      description:
        'Absolute IRI of the graph of all triples. Default: the default graph. Beside it the body must name no other graph.',
    }),
    ...BASE,
  },
  requestHeaders: [LABEL_HEADER, BASE_HEADER],
  body: { types: STORED_TYPES, description: 'The RDF.', media: RDF_BODIES },
  answers: [
    {
      status: 200,
      description:
        'Done; `Cairn-Position` is where its event stands. `Cairn-Warning` says when its sender may not read it.',
      types: ['text/plain'],
    },
    {
      status: 202,
      description:
        'Durable, and being applied: it takes longer than `graph.applyTimeoutMs`. Nothing need be sent again. `Cairn-Position` is where its event stands.',
      types: ['text/plain'],
    },
    { status: 413, description: 'The body is too large.' },
    { status: 415, description: 'Not one of the RDF syntaxes.' },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset, graph, base }) {
    datasetOf(context, dataset);
    const contentType = storedTypeOf(context.request);
    const label = labelOf(context);
    const place = { graph: absoluteIri('graph', graph), baseIri: statedBase(context.request, base) };
    const { maxRdfBytes, requestTimeoutMs } = context.configuration.server.limits;
    const value = await readBody(context.request, { maxBytes: maxRdfBytes, timeoutMs: requestTimeoutMs });
    const { position, isHidden, isApplied } = await context.services.ingest.load({
      dataset,
      contentType,
      ...place,
      value,
      isHandedOver: true,
      label,
      headers: [['Request-ID', context.requestId]],
      writer: context.viewer,
      timeoutMs: context.configuration.graph.applyTimeoutMs,
      mayBeLate: true,
      signal: context.signal,
    });
    return {
      status: isApplied ? 200 : 202,
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cairn-Position': position,
        ...hiddenWarning(isHidden),
      },
      body: isApplied ? 'Upload succeeded\n' : LATE,
    };
  },
});
