import type { JsonObject } from '@cairn/security';
import { type CollapsedMatch, CollapsedMatches, type CollapseField } from '../execution/collapsed-matches.ts';
import { MatchOrder, type SortedOrder } from '../execution/match-order.ts';
import type { MatchVisitor } from '../execution/match-visitor.ts';
import { SortedMatches } from '../execution/sorted-matches.ts';
import type { Match } from '../execution/top-documents.ts';
import { TotalCounter } from '../execution/total-counter.ts';
import { checkTexts, type Page, refuseArgument, toPage } from '../port/arguments.ts';
import type { SearchRequest, SearchResults } from '../port/search-index.ts';
import { compileParts, type TakeParts } from '../results/document-parts.ts';
import { compileFacets } from '../results/facet-counts.ts';
import { type AskedSnippets, readSnippets } from '../results/snippets.ts';
import { suggestSpelling } from './did-you-mean.ts';
import { type PlannedSearch, runSearch, visitMatches } from './operation.ts';
import { presentMatch, presentPage, type Showing, toMarkers, toResults } from './presented.ts';
import { cursorBehind, isByScore, placeByScore, toCollapseField, toResultOrder, toTotalBound } from './result-order.ts';

/** Parts of a search request, read and checked. */
interface AskedSearch {
  readonly page: Page;
  readonly order: SortedOrder;
  readonly collapse: CollapseField | undefined;
  /** Up to how many matches are counted. */
  readonly most: number | undefined;
  readonly takeParts: TakeParts | undefined;
  readonly snippets: AskedSnippets | undefined;
  readonly toCounters: ReturnType<typeof compileFacets>;
}

/** Reads what a search answers besides its query. @throws `ERR_REQUEST` or `ERR_CURSOR` (invalid) */
export function readSearch(request: SearchRequest, indices: readonly string[]): AskedSearch {
  const { fields, excludeFields, didYouMean } = request;
  if (didYouMean !== undefined && typeof didYouMean !== 'boolean')
    refuseArgument('didYouMean', 'a boolean', didYouMean);
  if (fields !== undefined) checkTexts('fields', fields);
  if (excludeFields !== undefined) checkTexts('excludeFields', excludeFields);
  const page = toPage(request);
  return {
    page,
    order: toResultOrder(request, page, indices),
    collapse: toCollapseField(request.collapse),
    most: toTotalBound(request.total),
    takeParts: compileParts(fields, excludeFields),
    snippets: readSnippets(request.snippets),
    toCounters: compileFacets(request.facets),
  };
}

/** The answer to a search that is planned. Lets other work run when it takes long. */
export async function answerSearch(
  planned: PlannedSearch,
  request: SearchRequest,
  asked: AskedSearch,
  shown: Showing,
): Promise<SearchResults> {
  const { query, type = 'query', highlight = false, didYouMean, after, facets: askedFacets } = request;
  const { page, most, takeParts } = asked;
  const present = (match: Match): JsonObject | undefined => presentMatch(match, shown);
  const collecting = toCollecting(planned, asked, present);
  const total = most === undefined ? undefined : new TotalCounter(most);
  const counters = asked.toCounters(present);
  await visitMatches(planned, [...collecting.visitors, ...(total ? [total] : []), ...counters]);
  const matches = await collecting.finish();
  const markers = toMarkers(planned.views, planned.asked ?? planned.plans, highlight, asked.snippets);
  const results = await planned.budget.run(presentPage(matches, page, { ...shown, takeParts }, markers));
  const meant = didYouMean === true ? await suggestSpelling(planned, request, shown) : undefined;
  const maybeMore = matches.length >= page.offset + page.limit;
  const next = after !== undefined && maybeMore ? cursorBehind(matches[page.limit - 1]) : undefined;
  const extras = {
    ...(total && { total: total.toTotal() }),
    ...(askedFacets && { facets: counters.map((counter) => counter.finish()) }),
    ...(meant && { didYouMean: meant }),
    ...(next !== undefined && { next }),
  };
  return toResults(matches, page, query, type, results, extras);
}

/** How the results of a search are collected. */
interface Collecting {
  /** Those that must see every match before. */
  readonly visitors: readonly MatchVisitor[];
  /** The matches up to the end of the page and one more, in order. */
  finish(): Promise<readonly (Match & Partial<CollapsedMatch>)[]>;
}

function toCollecting(
  planned: PlannedSearch,
  { page, order, collapse }: AskedSearch,
  present: (match: Match) => JsonObject | undefined,
): Collecting {
  const reach = page.offset + page.limit;
  if (collapse !== undefined) {
    const collapsed = new CollapsedMatches(collapse, reach, new MatchOrder(order, present), present);
    return { visitors: [collapsed], finish: () => planned.budget.run(collapsed.toSorted()) };
  }
  if (!isByScore(order)) {
    const sorted = new SortedMatches(reach, new MatchOrder(order, present));
    return { visitors: [sorted], finish: () => Promise.resolve(sorted.toSorted()) };
  }
  const finish = async (): Promise<readonly Match[]> => {
    return (await runSearch(planned, reach, placeByScore(order))).toSorted();
  };
  return { visitors: [], finish };
}
