import { isLiteralKind, type TermId, TermKind } from '../../graph/port/term-kind.ts';
import { type NodeKind, type NodeValue, toNode } from '../core/node.ts';
import { type NodeFilter, toTerm } from '../core/node-filter.ts';
import { createGraphSchema, type GraphSchema, type ResolverTable } from '../execution/graph-schema.ts';
import { once, onceOf, type RequestContext, startView, wholeView } from '../execution/request-context.ts';
import { type Later, whenDone } from '../graph/later.ts';
import { mapInSteps } from '../graph/map-in-steps.ts';
import type { Relations } from '../graph/relations.ts';
import type { Direction, GraphView } from '../graph/view.ts';
import { TRAVERSAL_SDL } from './sdl.ts';

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
  Traversal: {
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
  return once(context, `node/${id}`, () => toNode(context.reader.term(id)));
}

function findStarts(
  context: RequestContext,
  starts: readonly NodeFilter[] | null | undefined,
  graph: string | null | undefined,
): Later<readonly TraversalNode[]> {
  const start = startView(context, graph);
  if (start === undefined) return [];
  const view = wholeView(context);
  const ids = idsOf(context, starts);
  if (ids === undefined) return everySubject(context, start, view);
  context.guard.countItems(ids.size);
  return [...ids].filter((id) => start.has(id)).map((id) => ({ view, id }));
}

function everySubject({ guard }: RequestContext, start: GraphView, view: GraphView): Later<readonly TraversalNode[]> {
  return whenDone(start.subjects(guard), (subjects) => {
    guard.countItems(subjects.length);
    return whenDone(subjects.page(guard, 0, subjects.length), (ids) => mapInSteps(guard, ids, (id) => ({ view, id })));
  });
}

function findEdges(
  context: RequestContext,
  { view, id }: TraversalNode,
  direction: Direction,
  filters: EdgeFilters,
): Later<readonly TraversalEdge[] | null> {
  const { guard } = context;
  const found = whenDone(view.relations(guard, id, direction, 'all'), (all) => filterEdges(context, all, filters));
  return whenDone(found, (relations) => {
    if (relations.size === 0) return null;
    guard.countItems(relations.size);
    return whenDone(relations.page(guard, 0, relations.size), (page) =>
      mapInSteps(guard, page, ({ predicate, other }) => ({
        edge: nodeOf(context, predicate),
        direction: direction === 'out' ? 'OUT' : 'IN',
        target: { view, id: other },
      })),
    );
  });
}

function filterEdges(context: RequestContext, relations: Relations, filters: EdgeFilters): Later<Relations> {
  if (!filters.predicate && !filters.kinds) return relations;
  const { keepsPredicate, keepsOther } = onceOf(context, filters, () => compileFilters(context, filters));
  if (keepsPredicate === undefined && keepsOther === undefined) return relations;
  return relations.filter(context.guard, { keepsPredicate, keepsOther });
}

type Test = ((id: TermId) => boolean) | undefined;

/** The ids of the terms that some filters name; `undefined` where any term will do. */
function idsOf({ reader }: RequestContext, filters: readonly NodeFilter[] | null | undefined): Set<TermId> | undefined {
  const ids = new Set<TermId>();
  for (const filter of filters ?? [undefined]) {
    const term = filter && toTerm(filter);
    if (term === undefined) return undefined;
    ids.add(reader.idOf(term));
  }
  return ids;
}

function compileFilters(
  context: RequestContext,
  { predicate, kinds }: EdgeFilters,
): { readonly keepsPredicate: Test; readonly keepsOther: Test } {
  const { reader } = context;
  const ids = idsOf(context, predicate);
  const wanted = new Set(kinds);
  return {
    keepsPredicate: ids && ((one) => ids.has(one)),
    keepsOther: kinds ? (other) => [...wanted].some((kind) => isOfKind(reader.kind(other), kind)) : undefined,
  };
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
