import type { RequestContext } from '../execution/request-context.ts';
import type { TermCounts } from '../graph/view.ts';
import { uriOf } from './entity.ts';
import type { NamedRelations } from './relation-filter.ts';
import type { ShortForms } from './short-form.ts';

/** How often one IRI occurs. */
export interface FacetInfo {
  readonly uri: string;
  readonly shortUri: string;
  readonly count: number;
}

/** The predicates of relations. */
export function predicateFacets(
  context: RequestContext,
  short: ShortForms,
  { relations }: NamedRelations,
): FacetInfo[] {
  const counts = new Map(relations.predicates.map((predicate) => [predicate, relations.count(predicate)]));
  return toFacets(context, short, counts, relations.predicates.length);
}

/** Sorted by count descending, then by uri. */
export function toFacets(context: RequestContext, short: ShortForms, counts: TermCounts, items: number): FacetInfo[] {
  context.guard.countItems(items);
  const facets = [...counts].map(([id, count]) => {
    const uri = uriOf(context.snapshot, id);
    return { uri, shortUri: short.shorten(uri), count };
  });
  return facets.sort((a, b) => b.count - a.count || (a.uri < b.uri ? -1 : 1));
}
