import { isLiteralKind, type TermId, TermKind } from '../../graph/port/term-kind.ts';
import { type NodeFilter, type NodeKind, type NodeValue, toNode, toTerm } from '../core/node.ts';
import { CORE_SDL } from '../core/sdl.ts';
import { createGraphSchema, type GraphSchema, type ResolverTable } from '../execution/graph-schema.ts';
import { once, onceOf, type RequestContext, startView, wholeView } from '../execution/request-context.ts';
import { type Later, mapInSteps, whenDone } from '../graph/pacer.ts';
import type { Relations } from '../graph/relations.ts';
import type { Direction, GraphView } from '../graph/view.ts';

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

/** The traversal schema: from nodes along their edges, as far as the query says. */
const TRAVERSAL_SDL = /* GraphQL */ `
schema {
  query: Traversal
}

type Traversal {
  """
  The nodes to start from, in their order, those left out that occur nowhere; without starts every subject, by its
  N-Triples form. An empty list gives none.
  """
  nodes(
    starts: [NodeFilter!]
    "Where a start must occur: default, union or the IRI of a named graph; in any when it is missing. Edges come from all."
    graph: String
  ): [TraversalNode!]!
}

"A node with the edges that lead from it and to it."
type TraversalNode {
  node: Node!
  "Edges of which the node is the subject; null when there are none."
  outgoing(
    "Only these predicates."
    predicate: [NodeFilter!]
    "Only edges whose target is of one of these kinds."
    kinds: [NodeKind!]
  ): [TraversalEdge!]
  "Edges of which the node is the object; null when there are none."
  incoming(predicate: [NodeFilter!], kinds: [NodeKind!]): [TraversalEdge!]
}

"Which way an edge leads, seen from the node it was found at."
enum EdgeDirection {
  OUT
  IN
}

"An edge. Edges come in the order of the N-Triples form of predicate and target."
type TraversalEdge {
  "The predicate."
  edge: Node!
  direction: EdgeDirection!
  "The node at the other end."
  target: TraversalNode!
}
${CORE_SDL}`;

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
  const wanted = [...new Set(kinds)].map((kind) => IS_OF_KIND[kind]);
  return {
    keepsPredicate: ids && ((one) => ids.has(one)),
    keepsOther: kinds ? (other) => wanted.some((isWanted) => isWanted(reader.kind(other))) : undefined,
  };
}

const IS_OF_KIND: Readonly<Record<NodeKind, (termKind: number) => boolean>> = {
  URI: (kind) => kind === TermKind.iri,
  BLANK: (kind) => kind === TermKind.blankNode,
  TRIPLE: (kind) => kind === TermKind.triple,
  PLAIN_LITERAL: (kind) => kind === TermKind.string,
  LANGUAGE_LITERAL: (kind) => kind === TermKind.languageString,
  TYPED_LITERAL: (kind) => isLiteralKind(kind) && kind !== TermKind.languageString,
  VARIABLE: () => true,
};
