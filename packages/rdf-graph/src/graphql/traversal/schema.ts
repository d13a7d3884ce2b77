import { isLiteralKind, type TermId, TermKind, UNBOUND } from '../../store/term-kind.ts';
import { type NodeKind, type NodeValue, toNode } from '../core/node.ts';
import { type NodeFilter, toTerm } from '../core/node-filter.ts';
import { createGraphSchema, type GraphSchema, type ResolverTable } from '../execution/graph-schema.ts';
import { once, type RequestContext, viewOf } from '../execution/request-context.ts';
import type { Relations } from '../graph/relations.ts';
import type { Direction, GraphView } from '../graph/view.ts';
import { TRAVERSAL_SDL } from './sdl.ts';

/** A node on the way. */
interface TraversalNode {
  readonly view: GraphView;
  readonly id: TermId;
}

interface EdgeFilters {
  readonly predicate?: readonly NodeFilter[] | null;
  readonly kinds?: readonly NodeKind[] | null;
}

interface TraversalEdge {
  readonly edge: NodeValue;
  readonly direction: 'OUT' | 'IN';
  readonly target: TraversalNode;
}

const RESOLVERS: ResolverTable = {
  Query: {
    nodes: (_root, args: { starts?: readonly NodeFilter[] | null; graph?: string | null }, context) =>
      findStarts(context, args.starts, args.graph),
  },
  TraversalNode: {
    node: ({ id }: TraversalNode, _args, context) => nodeOf(context, id),
    outgoing: (node: TraversalNode, filters: EdgeFilters, context) => findEdges(context, node, 'out', filters),
    incoming: (node: TraversalNode, filters: EdgeFilters, context) => findEdges(context, node, 'in', filters),
  },
};

/** Creates the traversal schema: `nodes(starts)` with `outgoing` and `incoming` edges. */
export function createTraversalSchema(): GraphSchema {
  return createGraphSchema('traversal', TRAVERSAL_SDL, RESOLVERS);
}

function nodeOf(context: RequestContext, id: TermId): NodeValue {
  return once(context, `node/${id}`, () => toNode(context.snapshot.term(id)));
}

function findStarts(
  context: RequestContext,
  starts: readonly NodeFilter[] | null | undefined,
  graph: string | null | undefined,
): TraversalNode[] {
  const view = viewOf(context, graph);
  if (view === undefined) return [];
  const ids = starts === null || starts === undefined ? everySubject(context, view) : startIds(context, view, starts);
  return ids.map((id) => ({ view, id }));
}

function everySubject(context: RequestContext, view: GraphView): TermId[] {
  const subjects = view.subjects();
  context.guard.countItems(subjects.length);
  return [...subjects.page(0, subjects.length)];
}

function startIds(context: RequestContext, view: GraphView, starts: readonly NodeFilter[]): TermId[] {
  const terms = starts.map(toTerm);
  if (terms.includes(undefined)) return everySubject(context, view);
  const ids = new Set(terms.map((term) => context.snapshot.idOf(term!)));
  context.guard.countItems(ids.size);
  return [...ids].filter((id) => view.has(id));
}

function findEdges(
  context: RequestContext,
  { view, id }: TraversalNode,
  direction: Direction,
  filters: EdgeFilters,
): TraversalEdge[] | null {
  const relations = filterEdges(context, view.relations(id, direction, 'all'), filters);
  if (relations.size === 0) return null;
  context.guard.countItems(relations.size);
  return relations.page(0, relations.size).map(({ predicate, other }) => ({
    edge: nodeOf(context, predicate),
    direction: direction === 'out' ? 'OUT' : 'IN',
    target: { view, id: other },
  }));
}

function filterEdges(context: RequestContext, relations: Relations, { predicate, kinds }: EdgeFilters): Relations {
  const predicates = predicate?.map(toTerm);
  const isAny = predicates === undefined || predicates.includes(undefined);
  if (isAny && !kinds) return relations;
  const ids = new Set(isAny ? [] : predicates.map((term) => context.snapshot.idOf(term!)));
  const { dictionary } = context.snapshot;
  return relations.filter(
    (one) => isAny || (one !== UNBOUND && ids.has(one)),
    kinds ? (other) => kinds.some((kind) => isOfKind(dictionary.kind(other), kind)) : undefined,
  );
}

function isOfKind(termKind: number, kind: NodeKind): boolean {
  switch (kind) {
    case 'URI':
      return termKind === TermKind.iri;
    case 'BLANK':
      return termKind === TermKind.blankNode;
    case 'TRIPLE':
      return termKind === TermKind.triple;
    case 'PLAIN_LITERAL':
      return termKind === TermKind.string;
    case 'LANGUAGE_LITERAL':
      return termKind === TermKind.languageString;
    case 'TYPED_LITERAL':
      return isLiteralKind(termKind) && termKind !== TermKind.languageString;
    default:
      return true;
  }
}
