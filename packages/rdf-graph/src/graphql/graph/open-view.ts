import { CodedError } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import type { GraphDataset } from '../../port/graph-dataset.ts';
import { namedNode } from '../../rdf/terms.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../store/term-kind.ts';
import { Rows } from './rows.ts';
import { GraphView } from './view.ts';

/** A dataset whose store can be read by ids: what `openGraphDataset` gives. */
export interface SnapshotDataset extends GraphDataset {
  /** What a viewer sees now. */
  snapshot(viewer: Viewer): Snapshot;
}

const VIEWS = new WeakMap<Snapshot, Map<TermId, GraphView>>();

/** What a viewer sees of a dataset now. @throws `ERR_GRAPHQL_DATASET` (unsupported) when it cannot be read by ids. */
export function openSnapshot(dataset: GraphDataset, viewer: Viewer): Snapshot {
  if ('snapshot' in dataset) return (dataset as SnapshotDataset).snapshot(viewer);
  throw new CodedError({
    code: 'ERR_GRAPHQL_DATASET',
    kind: 'unsupported',
    message: `GraphQL runs over the embedded store; dataset ${dataset.name} is elsewhere`,
  });
}

/**
 * The view of one graph of a snapshot: `default` (also `null` and `undefined`), `union`, or the IRI of a named graph.
 * `undefined` when that graph has no visible quad.
 */
export function openView(snapshot: Snapshot, graph: string | null | undefined): GraphView | undefined {
  const id = graphId(snapshot, graph ?? 'default');
  if (id === undefined) return undefined;
  const views = VIEWS.get(snapshot) ?? new Map<TermId, GraphView>();
  VIEWS.set(snapshot, views);
  const view = views.get(id) ?? new GraphView(snapshot, id);
  views.set(id, view);
  return view;
}

function graphId(snapshot: Snapshot, graph: string): TermId | undefined {
  if (graph === 'default') return DEFAULT_GRAPH_ID;
  if (graph === 'union') return UNBOUND;
  const id = snapshot.idOf(namedNode(graph));
  return id !== UNBOUND && new Rows(snapshot, [id], [UNBOUND, UNBOUND, UNBOUND]).hasVisible() ? id : undefined;
}
