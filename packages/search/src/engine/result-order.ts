import { CodedError } from '@cairn/errors';
import type { CollapseField } from '../execution/collapsed-matches.ts';
import type { SortedMatch, SortedOrder, SortedPlace } from '../execution/match-order.ts';
import type { Match, RankedPlace } from '../execution/top-documents.ts';
import { checkObject, checkText, checkWhole, type Page, refuseArgument } from '../port/arguments.ts';
import type { SearchRequest } from '../port/search-index.ts';
import { FIRST_CURSOR, readCursor, writeCursor } from '../results/cursor.ts';
import { toFacetPath } from '../results/facets.ts';
import { parseSortKeys, type SortKey } from '../results/sort-order.ts';

const BY_SCORE: readonly SortKey[] = [{ field: 'score', isAscending: false }];
const MAX_KEYS = 8;
const MISSING: ReadonlySet<unknown> = new Set(['first', 'last']);

/**
 * Reads the order of a request, and behind which place its page begins.
 * @throws `ERR_REQUEST` or `ERR_CURSOR` (invalid)
 */
export function toResultOrder(
  { sort, missing = 'last', after }: Pick<SearchRequest, 'sort' | 'missing' | 'after'>,
  { offset }: Page,
  indices: readonly string[],
): SortedOrder {
  if (sort !== undefined) checkText('sort', sort);
  if (!MISSING.has(missing)) refuseArgument('missing', 'first or last', missing);
  const asked = parseSortKeys(sort ?? '');
  if (asked.length > MAX_KEYS) refuseArgument('sort', `at most ${MAX_KEYS} keys`, asked.length);
  const keys = asked.length === 0 ? BY_SCORE : asked;
  if (after === undefined) return { keys, missing };
  checkText('after', after);
  if (offset !== 1) refuseArgument('offset', '1 with after', offset);
  return { keys, missing, after: after === FIRST_CURSOR ? undefined : toPlace(after, keys, indices) };
}

function toPlace(after: string, keys: readonly SortKey[], indices: readonly string[]): SortedPlace {
  const { values, id, index } = readCursor(after, keys.length);
  const rank = indices.indexOf(index);
  const isOrdered = keys.every(({ field }, i) => field !== 'score' || typeof values[i] === 'number');
  if (rank >= 0 && isOrdered) return { values, id, rank };
  const message = 'after must be * or what an answer to the same query and sort gave as next';
  throw new CodedError({ code: 'ERR_CURSOR', kind: 'invalid', message });
}

/** True for the order that needs not every match: by falling score alone. */
export function isByScore({ keys }: SortedOrder): boolean {
  const [key] = keys;
  return keys.length === 1 && key.field === 'score' && !key.isAscending;
}

/** The place in the order by score that an order goes on behind. */
export function placeByScore({ after }: SortedOrder): RankedPlace | undefined {
  return after && { score: after.values[0] as number, id: after.id, rank: after.rank };
}

/** The cursor that goes on behind a match. */
export function cursorBehind({ view, document, score, values = [score] }: Match & Partial<SortedMatch>): string {
  return writeCursor({ values, id: view.segment.ids.term(document), index: view.segment.index });
}

const DEFAULT_TOTAL = 10_000;
const MAX_TOTAL = 1_000_000;

/** Up to how many matches are counted; `undefined` when none are. @throws `ERR_REQUEST` (invalid) */
export function toTotalBound(total: SearchRequest['total']): number | undefined {
  if (total === undefined || total === false) return undefined;
  if (total === true) return DEFAULT_TOTAL;
  checkWhole('total', total, 1, MAX_TOTAL);
  return total;
}

const DEFAULT_COLLAPSE_BOUND = 10_000;

/** Reads what a request collapses by. @throws `ERR_REQUEST` (invalid) */
export function toCollapseField(collapse: SearchRequest['collapse']): CollapseField | undefined {
  if (collapse === undefined) return undefined;
  checkObject('collapse', collapse);
  const { field, bound = DEFAULT_COLLAPSE_BOUND } = collapse;
  checkText('collapse.field', field);
  checkWhole('collapse.bound', bound, 1, MAX_TOTAL);
  return { path: toFacetPath(field), bound };
}
