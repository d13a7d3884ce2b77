import type { JsonObject, JsonValue } from '@cairn/security';
import { isDateText, parseInstant } from '../mapping/instant.ts';
import type { SearchResult } from '../port/search-index.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';

export interface SortKey {
  /** A dotted path; `score` for the score. */
  readonly field: string;
  readonly isAscending: boolean;
}

export type ResultOrder = (a: SearchResult, b: SearchResult) => number;

/**
 * Reads a sort: keys separated by commas, `<field` ascending, `>field` or a bare field descending, `score` by score.
 * Results without a value of a field come last; equal results are ordered by id.
 */
export function parseSortOrder(sort: string): ResultOrder {
  const keys = parseSortKeys(sort);
  return (a, b) => {
    for (const key of keys) {
      const order = compareByKey(a, b, key);
      if (order !== 0) return order;
    }
    return compareByCodePoint(a.id, b.id);
  };
}

export function parseSortKeys(sort: string): SortKey[] {
  const texts = sort.split(',').map((key) => key.trim());
  return texts.filter((key) => key !== '').map(parseSortKey);
}

function parseSortKey(text: string): SortKey {
  const isPrefixed = text.startsWith('<') || text.startsWith('>');
  return { field: (isPrefixed ? text.slice(1) : text).replaceAll('/', '.'), isAscending: text.startsWith('<') };
}

function compareByKey(a: SearchResult, b: SearchResult, { field, isAscending }: SortKey): number {
  const direction = isAscending ? 1 : -1;
  if (field === 'score') return (a.score - b.score) * direction;
  const x = toSortable(a.document, field);
  const y = toSortable(b.document, field);
  if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
  if (typeof x === 'number' && typeof y === 'number') return (x - y) * direction;
  if (typeof x === 'string' && typeof y === 'string') return compareByCodePoint(x, y) * direction;
  return typeof x === 'number' ? -direction : direction;
}

/** The first value of a field: numbers and instants as numbers, before any text. */
function toSortable(document: JsonObject, field: string): number | string | undefined {
  const value = findFirst(document, field, '');
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return value === undefined ? undefined : String(value);
  return isDateText(value) ? parseInstant(value)?.first : value;
}

function findFirst(value: JsonValue, field: string, at: string): string | number | boolean | undefined {
  if (typeof value !== 'object') return at === field ? value : undefined;
  const isList = Array.isArray(value);
  for (const [key, nested] of Object.entries(value ?? {})) {
    const below = isList ? at : pathTowards(field, at, key);
    const found = below === undefined ? undefined : findFirst(nested as JsonValue, field, below);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a member of the value at `at`, where a field is there or below it; else `undefined`. */
export function pathTowards(field: string, at: string, key: string): string | undefined {
  const path = at === '' ? key : `${at}.${key}`;
  return field === path || field.startsWith(`${path}.`) ? path : undefined;
}
