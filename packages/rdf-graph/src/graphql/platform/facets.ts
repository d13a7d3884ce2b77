import type { RequestContext } from '../execution/request-context.ts';
import { STEP, sortInSteps } from '../graph/pacer.ts';
import type { Relations, TermCounts } from '../graph/relations.ts';
import { type Shorten, uriOf } from './entity.ts';

export interface FacetInfo {
  readonly uri: string;
  readonly shortUri: string;
  readonly count: number;
}

export async function countPredicates({ guard }: RequestContext, relations: Relations): Promise<TermCounts> {
  const counts = new Map<number, number>();
  for (const predicate of relations.predicates) {
    counts.set(predicate, relations.count(predicate));
    if (counts.size % STEP === 0) await guard.step();
  }
  return counts;
}

/** Sorted by count descending, then by uri. */
export async function toFacets(
  context: RequestContext,
  shorten: Shorten,
  counts: TermCounts,
): Promise<readonly FacetInfo[]> {
  const { guard, reader } = context;
  guard.countItems(counts.size);
  const facets: FacetInfo[] = [];
  for (const [id, count] of counts) {
    const uri = uriOf(reader, id);
    facets.push({ uri, shortUri: shorten(uri), count });
    if (facets.length % STEP === 0) await guard.step();
  }
  return sortInSteps(guard, facets, (a, b) => b.count - a.count || (a.uri < b.uri ? -1 : 1));
}
