import type { TermId } from '../../store/term-kind.ts';
import { UNBOUND } from '../../store/term-kind.ts';
import { type NodeValue, toNode } from '../core/node.ts';
import { type NodeFilter, toGraphTerm, toTerm } from '../core/node-filter.ts';
import { createGraphSchema, type GraphSchema, type ResolverTable } from '../execution/graph-schema.ts';
import type { RequestContext } from '../execution/request-context.ts';
import { TermOrder } from '../graph/term-order.ts';
import { DATASET_SDL } from './sdl.ts';

interface QuadFilters {
  readonly subject?: NodeFilter | null;
  readonly predicate?: NodeFilter | null;
  readonly object?: NodeFilter | null;
  readonly graph?: NodeFilter | null;
}

interface QuadValue {
  readonly subject: NodeValue;
  readonly predicate: NodeValue;
  readonly object: NodeValue;
  readonly graph: NodeValue;
}

type QuadIds = readonly [TermId, TermId, TermId, TermId];

const RESOLVERS: ResolverTable = {
  Query: {
    quads: (_root, filters: QuadFilters, context) => findQuads(context, filters),
  },
};

/** Creates the dataset schema: `quads(subject, predicate, object, graph)`. */
export function createDatasetSchema(): GraphSchema {
  return createGraphSchema('dataset', DATASET_SDL, RESOLVERS);
}

function findQuads({ snapshot, guard }: RequestContext, filters: QuadFilters): QuadValue[] {
  const { subject, predicate, object, graph } = filters;
  const terms = [toTerm(subject), toTerm(predicate), toTerm(object), toGraphTerm(graph)];
  const ids = terms.map((term) => (term === undefined ? UNBOUND : snapshot.idOf(term)));
  if (ids.some((id, position) => id === UNBOUND && terms[position] !== undefined)) return [];
  const pattern = ids as unknown as QuadIds;
  guard.countItems(snapshot.count(...pattern));
  const found = [...snapshot.quadIds(...pattern)];
  return sortQuads(found, new TermOrder(snapshot.dictionary)).map(([s, p, o, g]) => ({
    subject: toNode(snapshot.term(s)),
    predicate: toNode(snapshot.term(p)),
    object: toNode(snapshot.term(o)),
    graph: toNode(snapshot.term(g)),
  }));
}

/** Sorts by the rank of each term, so that a term that occurs often is compared but once per sort of the terms. */
function sortQuads(quads: QuadIds[], order: TermOrder): QuadIds[] {
  const ranks = new Map([...new Set(quads.flat())].sort(order.compare).map((id, rank) => [id, rank]));
  return quads.sort((a, b) => {
    for (let i = 0; i < 4; i++) {
      if (a[i] !== b[i]) return ranks.get(a[i]!)! - ranks.get(b[i]!)!;
    }
    return 0;
  });
}
