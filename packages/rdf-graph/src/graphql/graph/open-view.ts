import type { GraphReader } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { namedNode } from '../../rdf/terms.ts';
import { Rows } from './rows.ts';
import { GraphView } from './view.ts';

const VIEWS = new WeakMap<GraphReader, Map<TermId, GraphView>>();

/**
 * The view of one graph: `default` (also `null` and `undefined`), `union`, or the IRI of a named graph.
 * `undefined` when that graph has no visible quad.
 */
export function openView(reader: GraphReader, graph: string | null | undefined): GraphView | undefined {
  const id = graphId(reader, graph ?? 'default');
  if (id === undefined) return undefined;
  const views = VIEWS.get(reader) ?? new Map<TermId, GraphView>();
  VIEWS.set(reader, views);
  const view = views.get(id) ?? new GraphView(reader, id);
  views.set(id, view);
  return view;
}

function graphId(reader: GraphReader, graph: string): TermId | undefined {
  if (graph === 'default') return DEFAULT_GRAPH_ID;
  if (graph === 'union') return UNBOUND;
  const id = reader.idOf(namedNode(graph));
  return id !== UNBOUND && new Rows(reader, [id], [UNBOUND, UNBOUND, UNBOUND]).hasVisible() ? id : undefined;
}
