import { CodedError, checkPort, checkText } from '@cairn/errors';
import { checkViewer, type Viewer } from '@cairn/security';
import type { ReadableDataset } from '../../graph/port/graph-dataset.ts';
import type { ReaderOptions } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, UNBOUND } from '../../graph/port/term-kind.ts';
import { namedNode } from '../../rdf/terms.ts';
import type { IndexedGraph } from './indexed-graph.ts';
import { ReaderGraph } from './reader-graph.ts';

/**
 * Opens what a viewer sees of a stored graph, for validation: `default`, `union` (all graphs as one) or the IRI of a
 * named graph. It is read in place.
 * @throws `ERR_NO_GRAPH` (not-found) for a named graph of which the viewer sees nothing; `ERR_ARGUMENT` (invalid)
 */
export async function readStoredGraph(
  dataset: ReadableDataset,
  viewer: Viewer,
  graph: string,
  options: ReaderOptions,
): Promise<IndexedGraph> {
  checkPort(dataset, 'reader', 'the dataset');
  checkViewer(viewer);
  checkText(graph, 'the graph');
  const reader = await dataset.reader(viewer, options);
  if (graph === 'default') return new ReaderGraph(reader, DEFAULT_GRAPH_ID);
  if (graph === 'union') return new ReaderGraph(reader, UNBOUND);
  const id = reader.idOf(namedNode(graph));
  const named = new ReaderGraph(reader, id);
  if (id === UNBOUND || isEmpty(named)) throw graphNotFound(graph);
  return named;
}

function isEmpty(graph: IndexedGraph): boolean {
  for (const _ of graph) return false;
  return true;
}

function graphNotFound(graph: string): CodedError {
  const message = `there is no graph ${JSON.stringify(graph.slice(0, 200))}`;
  return new CodedError({ code: 'ERR_NO_GRAPH', kind: 'not-found', message });
}
