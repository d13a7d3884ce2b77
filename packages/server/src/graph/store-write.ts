import { randomUUID } from 'node:crypto';
import { createEvent, createHeaders, HEADER } from '@cairn/events';
import type { UpdateOutcome } from '@cairn/ingest';
import type { ChangeSet, GraphDataset } from '@cairn/rdf-graph';
import { readStatedChanges } from '@cairn/rdf-graph/experimental';
import { checkStatedLabel } from '@cairn/security';
import { readBody } from '../http/body.ts';
import type { HttpAnswer } from '../http/message.ts';
import type { Context } from '../routing/context.ts';
import { type AnswerDescription, defineRoute, type Route } from '../routing/route.ts';
import { changeAnswer, changeDataset, defaultLabelOf } from './change.ts';
import { DATASET, datasetOf, endpointOf, GRAPH_FAULTS, toEvaluation } from './dataset.ts';
import { LABEL_HEADER, labelOf } from './label.ts';
import { RDF_BODIES, STORED_TYPES, storedTypeOf } from './rdf-bodies.ts';
import { isThere, noGraph, type OneGraph, oneGraph, STORE_GRAPH, whichGraph } from './store-graph.ts';

const WRITE = {
  area: 'graph',
  path: '/{dataset}/data',
  access: 'graph.write',
  ignoreUnknown: true,
  parameters: { ...DATASET, ...STORE_GRAPH },
} as const;

const WITH_BODY = {
  ...WRITE,
  intake: 'body',
  requestHeaders: [LABEL_HEADER],
  body: {
    types: STORED_TYPES,
    description: 'The triples. Their base is the IRI of the graph, of the default graph that of the endpoint.',
    media: RDF_BODIES,
  },
} as const;

function succeeded(description: string): AnswerDescription {
  return { status: 200, description: `${description} \`Cairn-Position\` is where it stands.`, types: ['text/plain'] };
}

function created(description: string): AnswerDescription {
  return { status: 201, description, types: ['text/plain'] };
}

const NOTHING_SEEN: AnswerDescription = {
  status: 404,
  description: 'Unknown dataset, or a named graph that holds nothing the caller may see.',
};

/** `POST /{dataset}/data`: as an upload into one graph. */
export const graphStoreAdd: Route = defineRoute({
  ...WITH_BODY,
  method: 'POST',
  operation: 'graphStoreAdd',
  summary: 'Adds triples to the default graph or to a named one; without either to a new graph.',
  answers: [
    succeeded('The graph was there as far as the caller sees it, or still is not.'),
    created(
      'The caller sees a graph that they did not see before. Without a parameter it has a new name, which is `Location`.',
    ),
    {
      status: 202,
      description:
        'Durable, and being applied: it takes longer than `graph.applyTimeoutMs`. Nothing need be sent again.',
      types: ['text/plain'],
    },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph }) {
    const dataset = datasetOf(context, name);
    const contentType = storedTypeOf(context.request);
    const asked = whichGraph(context, graph);
    const isNew = asked.type === 'dataset';
    const which: OneGraph = isNew ? { type: 'named', iri: `urn:uuid:${randomUUID()}` } : asked;
    const label = labelOf(context);
    const value = await readTriples(context);
    const { viewer, signal } = context;
    const wasThere = await isThere(dataset, viewer, which);
    const { position, isHidden, isApplied } = await context.services.ingest.load({
      ...{ dataset: name, contentType, value, isHandedOver: true, label },
      ...placeOf(context, which),
      headers: [['Request-ID', context.requestId]],
      writer: viewer,
      timeoutMs: context.configuration.graph.applyTimeoutMs,
      mayBeLate: true,
      signal,
    });
    const isCreated = isNew || (!wasThere && isApplied && (await isThere(dataset, viewer, which)));
    const done = isCreated ? 201 : 200;
    return answer(isApplied ? done : 202, { position, isHidden }, isNew ? locationOf(which) : {});
  },
});

/** `PUT /{dataset}/data`: one change that takes away what the writer sees and adds the body. */
export const graphStoreReplace: Route = defineRoute({
  ...WITH_BODY,
  method: 'PUT',
  operation: 'graphStoreReplace',
  summary: 'Puts triples in the place of what the caller sees of the default graph or of a named one.',
  answers: [
    succeeded('The graph was there as far as the caller sees it, or still is not.'),
    created('The caller sees a graph that they did not see before.'),
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph }) {
    const dataset = datasetOf(context, name);
    const contentType = storedTypeOf(context.request);
    const which = oneGraph(context, graph);
    const label = labelOf(context) ?? defaultLabelOf(context, name);
    const added = await readAdditions(context, { contentType, label, which, value: await readTriples(context) });
    let wasThere = true;
    const outcome = await changeDataset(context, name, async (current) => {
      wasThere = await isThere(current, context.viewer, which);
      const { deletions } = await clear(context, current, which);
      return { ...added, deletions };
    });
    const isCreated = !wasThere && (await isThere(dataset, context.viewer, which));
    return answer(isCreated ? 201 : 200, outcome);
  },
});

/** `DELETE /{dataset}/data`: takes away what the writer sees. */
export const graphStoreDelete: Route = defineRoute({
  ...WRITE,
  method: 'DELETE',
  operation: 'graphStoreDelete',
  summary: 'Takes away what the caller sees of the default graph or of a named one.',
  answers: [succeeded('The caller sees nothing of the graph any more.'), NOTHING_SEEN, ...GRAPH_FAULTS],
  async handle(context, { dataset: name, graph }) {
    datasetOf(context, name);
    const which = oneGraph(context, graph);
    const outcome = await changeDataset(context, name, async (current) => {
      if (!(await isThere(current, context.viewer, which))) throw noGraph();
      return clear(context, current, which);
    });
    return answer(200, outcome);
  },
});

export const graphStoreWrites: readonly Route[] = [graphStoreAdd, graphStoreReplace, graphStoreDelete];

function readTriples({ request, configuration }: Context): Promise<Buffer> {
  const { maxRdfBytes, requestTimeoutMs } = configuration.server.limits;
  return readBody(request, { maxBytes: maxRdfBytes, timeoutMs: requestTimeoutMs });
}

function locationOf(which: OneGraph): Readonly<Record<string, string>> {
  return which.type === 'named' ? { Location: which.iri } : {};
}

interface Place {
  readonly graph?: string;
  readonly baseIri: string;
}

/** Where triples go, and what they are relative to (SPARQL 1.1 Graph Store HTTP Protocol, 4.1; RFC 3986, 5.1.3). */
function placeOf({ request }: Context, which: OneGraph): Place {
  return which.type === 'named' ? { graph: which.iri, baseIri: which.iri } : { baseIri: endpointOf(request) };
}

interface SentTriples {
  readonly contentType: string;
  readonly value: Uint8Array;
  readonly label: string;
  readonly which: OneGraph;
}

/** The additions of a body to its graph. Blank nodes are new ones. @throws as `readStatedChanges` */
async function readAdditions(context: Context, sent: SentTriples): Promise<Omit<ChangeSet, 'deletions'>> {
  const { graph, baseIri } = placeOf(context, sent.which);
  const event = createEvent({
    id: randomUUID(),
    type: 'rdf.data',
    headers: createHeaders([
      [HEADER.contentType, sent.contentType],
      [HEADER.securityLabel, sent.label],
      [HEADER.baseIri, baseIri],
    ]).with(HEADER.graph, ...(graph === undefined ? [] : [graph])),
    value: sent.value,
  });
  const judge = (label: string, where: string): void => checkStatedLabel(label, { where, writer: context.viewer });
  const { additions, prefixes } = (await readStatedChanges(event, { judge, signal: context.signal })).changes;
  return { additions, prefixes };
}

/** The change by which all goes that the caller sees of a graph. */
function clear(context: Context, dataset: GraphDataset, which: OneGraph): Promise<ChangeSet> {
  // An absolute IRI holds nothing that would end it here.
  const target = which.type === 'default' ? 'DEFAULT' : `GRAPH <${which.iri}>`;
  const evaluation = { ...toEvaluation(context, { defaultGraphs: [], namedGraphs: [] }), label: '!' };
  return dataset.evaluateUpdate(context.viewer, `CLEAR SILENT ${target}`, evaluation);
}

const TEXTS: Readonly<Record<number, string>> = {
  200: 'Update succeeded\n',
  201: 'Graph created\n',
  202: 'Update accepted: it is durable and being applied\n',
};

function answer(
  status: number,
  outcome: Pick<UpdateOutcome, 'position' | 'isHidden'>,
  headers?: Readonly<Record<string, string>>,
): HttpAnswer {
  return changeAnswer(status, TEXTS[status], outcome, headers);
}
