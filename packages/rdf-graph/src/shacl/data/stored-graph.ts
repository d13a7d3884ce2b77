import { CodedError, checkPort, checkText } from '@cairn/errors';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { GraphDataset } from '../../port/graph-dataset.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { DEFAULT_GRAPH_ID, UNBOUND } from '../../store/term-kind.ts';
import type { GraphReader } from './graph-reader.ts';
import { indexQuads } from './quad-index.ts';
import { SnapshotGraph } from './snapshot-graph.ts';

/** Datasets whose store is read in place. */
interface SnapshotDataset extends GraphDataset {
  snapshot(viewer: Viewer): Snapshot;
}

/**
 * What a viewer sees of a stored graph, to be validated: `default`, `union` (all graphs as one) or the IRI of a named
 * graph. Over our own store it is read in place; of another dataset the visible quads are copied.
 * @throws `ERR_GRAPH_NOT_FOUND` (not-found) for a named graph of which the viewer sees nothing; `ERR_ARGUMENT` (invalid)
 */
export async function readStoredGraph(dataset: GraphDataset, viewer: Viewer, graph: string): Promise<GraphReader> {
  checkPort(dataset, 'match', 'the dataset');
  checkViewer(viewer);
  checkText(graph, 'the graph');
  const stored = 'snapshot' in dataset ? fromSnapshot(dataset as SnapshotDataset, viewer, graph) : undefined;
  const reader = stored ?? indexQuads(await copyQuads(dataset, viewer, graph));
  if (graph !== 'default' && graph !== 'union' && isEmpty(reader)) throw graphNotFound(graph);
  return reader;
}

function fromSnapshot(dataset: SnapshotDataset, viewer: Viewer, graph: string): GraphReader {
  const snapshot = dataset.snapshot(viewer);
  if (graph === 'union') return new SnapshotGraph(snapshot, UNBOUND);
  const id = graph === 'default' ? DEFAULT_GRAPH_ID : snapshot.idOf(namedNode(graph));
  return id === UNBOUND ? indexQuads([]) : new SnapshotGraph(snapshot, id);
}

async function copyQuads(dataset: GraphDataset, viewer: Viewer, graph: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const term = graph === 'default' || graph === 'union' ? undefined : namedNode(graph);
  for await (const one of dataset.match(viewer, { graph: term })) {
    if (graph === 'default' && one.graph.termType !== 'DefaultGraph') continue;
    quads.push(quad(one.subject, one.predicate, one.object));
  }
  return quads;
}

function isEmpty(graph: GraphReader): boolean {
  for (const _ of graph) return false;
  return true;
}

function graphNotFound(graph: string): CodedError {
  const message = `there is no graph ${JSON.stringify(graph.slice(0, 200))}`;
  return new CodedError({ code: 'ERR_GRAPH_NOT_FOUND', kind: 'not-found', message });
}
