import type { Match } from '../execution/top-documents.ts';
import type { Plan } from '../plan/plan.ts';
import type { HighlightOptions, SearchResult, SearchResults } from '../port/search-index.ts';
import { Highlighter } from '../results/highlight.ts';
import type { Page } from '../results/paging.ts';
import type { IndexView } from './operation.ts';

/** Highlighters by index name; none when nothing is to be marked. */
export function toHighlighters(
  views: readonly IndexView[],
  plans: readonly Plan[],
  highlight: boolean | HighlightOptions,
): Map<string, Highlighter> {
  const options = highlight === true ? {} : highlight;
  if (options === false) return new Map();
  return new Map(views.map(({ store }, i) => [store.mapping.name, new Highlighter(plans[i], store.mapping, options)]));
}

/** A page of results with its echo of the request, keys in the order of the interface. */
export function toResults(
  matches: readonly Match[],
  { limit, offset }: Page,
  query: string,
  type: string,
  results: readonly SearchResult[],
): SearchResults {
  return { maybeMore: matches.length >= offset + limit, limit, offset, query, type, results };
}

/** A record in which any id is an own key, `__proto__` too. */
export function toRecord<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries) as Record<string, T>;
}
