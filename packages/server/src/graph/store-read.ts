import { RDF_FORMATS, StoreDataset } from '@cairn/rdf-graph';
import { defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf, GRAPH_FAULTS, GRAPH_READ } from './dataset.ts';
import { graphBody, patternOf } from './graph-body.ts';
import { requireAcceptable, withCharset } from './result-answer.ts';
import { noGraph, STORE_GRAPH, whichGraph } from './store-graph.ts';

/** More are written by a worker, in quads that the caller may see. */
const MAX_QUADS_HERE = 5_000;

const WRITABLE = RDF_FORMATS.filter(({ writable }) => writable);
const GRAPH_TYPES = WRITABLE.flatMap(({ mediaTypes }) => mediaTypes);
/** Types for whole datasets: those that can name graphs. */
const DATASET_TYPES = WRITABLE.filter(({ quads }) => quads).flatMap(({ mediaTypes }) => mediaTypes);

export const graphStoreRead: Route = defineRoute({
  ...GRAPH_READ,
  method: 'GET',
  path: '/{dataset}/data',
  operation: 'graphStoreRead',
  summary: 'The default graph, one named graph, or without either the whole dataset, as far as the caller may see it.',
  parameters: { ...DATASET, ...STORE_GRAPH },
  answers: [
    { status: 200, description: 'The quads, in the format that Accept prefers.', types: GRAPH_TYPES },
    { status: 404, description: 'Unknown dataset, or a named graph that holds nothing the caller may see.' },
    ...GRAPH_FAULTS,
  ],
  async handle(context, { dataset: name, graph }) {
    const dataset = datasetOf(context, name);
    const which = whichGraph(context, graph);
    const types = which.type === 'dataset' ? DATASET_TYPES : GRAPH_TYPES;
    const contentType = requireAcceptable(context.request.header('accept'), types);
    const count = await dataset.count(context.viewer, which.type === 'dataset' ? {} : patternOf(which));
    if (which.type === 'named' && count === 0) throw noGraph();
    const format = { contentType, prefixes: await dataset.prefixes(context.viewer) };
    const { queryWorkers } = context.services;
    if (count > MAX_QUADS_HERE && queryWorkers !== undefined && dataset instanceof StoreDataset) {
      const { timeLimitMs } = context.configuration.graph;
      const snapshot = dataset.snapshot(context.viewer).share();
      const task = {
        kind: 'graph',
        user: context.user.name,
        dataset: dataset.name,
        snapshot,
        timeLimitMs,
        which,
        format,
      } as const;
      return { status: 200, ...(await queryWorkers.answer(task, context.signal)) };
    }
    const headers = { 'Content-Type': withCharset(contentType), Vary: 'Accept' };
    return { status: 200, headers, body: graphBody(dataset, context.viewer, which, format) };
  },
});
