import type { JsonObject } from '@cairn/security';
import { SortedMatches, type SortedOrder } from '../execution/sorted-matches.ts';
import type { Match } from '../execution/top-documents.ts';
import { TotalCounter } from '../execution/total-counter.ts';
import { checkTexts, type Page, toPage } from '../port/arguments.ts';
import type { SearchRequest, SearchResults } from '../port/search-index.ts';
import { compileParts, type TakeParts } from '../results/document-parts.ts';
import { compileFacets } from '../results/facet-counts.ts';
import { type PlannedSearch, runSearch, visitMatches } from './operation.ts';
import { presentMatch, presentPage, type Showing, toHighlighters, toResults } from './presented.ts';
import { cursorBehind, isByScore, placeByScore, toResultOrder, toTotalBound } from './result-order.ts';

/** Parts of a search request, read and checked. */
interface AskedSearch {
  readonly page: Page;
  readonly order: SortedOrder;
  /** Up to how many matches are counted. */
  readonly most: number | undefined;
  readonly takeParts: TakeParts | undefined;
  readonly toCounters: ReturnType<typeof compileFacets>;
}

/** Reads what a search answers besides its query. @throws `ERR_REQUEST` or `ERR_CURSOR` (invalid) */
export function readSearch(request: SearchRequest, indices: readonly string[]): AskedSearch {
  const { fields, excludeFields } = request;
  if (fields !== undefined) checkTexts('fields', fields);
  if (excludeFields !== undefined) checkTexts('excludeFields', excludeFields);
  const page = toPage(request);
  return {
    page,
    order: toResultOrder(request, page, indices),
    most: toTotalBound(request.total),
    takeParts: compileParts(fields, excludeFields),
    toCounters: compileFacets(request.facets),
  };
}

/** The answer to a search that is planned. Lets other work run when it takes long. */
export async function answerSearch(
  planned: PlannedSearch,
  { query, type = 'query', highlight = false, after, facets: askedFacets }: SearchRequest,
  { page, order, most, takeParts, toCounters }: AskedSearch,
  shown: Showing,
): Promise<SearchResults> {
  const present = (match: Match): JsonObject | undefined => presentMatch(match, shown);
  const reach = page.offset + page.limit;
  const sorted = isByScore(order) ? undefined : new SortedMatches(reach, order, present);
  const total = most === undefined ? undefined : new TotalCounter(most);
  const counters = toCounters(present);
  const visitors = [...(sorted ? [sorted] : []), ...(total ? [total] : []), ...counters];
  await visitMatches(planned, visitors);
  const matches = (sorted ?? (await runSearch(planned, reach, placeByScore(order)))).toSorted();
  const highlighters = toHighlighters(planned.views, planned.plans, highlight);
  const found = await planned.budget.run(presentPage(matches, page, { ...shown, takeParts }, highlighters));
  const { results, ...echo } = toResults(matches, page, query, type, found);
  const next = after !== undefined && echo.maybeMore ? cursorBehind(matches[page.limit - 1]) : undefined;
  return {
    ...echo,
    ...(total && { total: total.toTotal() }),
    ...(askedFacets && { facets: counters.map((counter) => counter.finish()) }),
    ...(next !== undefined && { next }),
    results,
  };
}
