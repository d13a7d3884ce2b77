import { CodedError } from '@cairn/errors';
import type { JsonObject, Viewer } from '@cairn/security';
import { MAX_QUERY_LENGTH } from '../query/parser.ts';
import type { ReadOperation, Relevance, SearchFilters, SearchRequest } from './search-index.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes an unexpected value: its type, or the value itself where it is short and not text. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
    return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** @throws `ERR_REQUEST` (invalid): what must be what, and what it is instead. */
export function refuseArgument(name: string, expected: string, value: unknown): never {
  const message = `${name} must be ${expected}; got ${describeValue(value)}`;
  throw new CodedError({ code: 'ERR_REQUEST', kind: 'invalid', message });
}

/** @throws `ERR_FACET` (invalid): what must be what, and what it is instead. */
export function refuseFacet(name: string, expected: string, got: string | number): never {
  const message = `${name} must be ${expected}; got ${typeof got === 'number' ? got : JSON.stringify(got.slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_FACET', kind: 'invalid', message });
}

/** `ERR_CONFIGURATION` (invalid). */
export function invalidConfiguration(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message, ...(cause !== undefined && { cause }) });
}

export function checkViewer(viewer: Viewer): void {
  const given: Partial<Viewer> | null | undefined = viewer;
  if (typeof given?.permits === 'function' && typeof given.key === 'string') return;
  refuseArgument('viewer', 'one that createViewer made', viewer);
}

export function checkObject(name: string, value: unknown): void {
  if (!isObject(value)) refuseArgument(name, 'an object', value);
}

export function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') refuseArgument(name, 'a text', value);
}

/** @throws `ERR_REQUEST` (invalid) unless a value is a list of texts; a text is none. */
export function checkTexts(name: string, value: unknown): void {
  if (!Array.isArray(value)) refuseArgument(name, 'a list of texts', value);
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'string') refuseArgument(`each of ${name}`, 'a text', item);
  }
}

/** @throws `ERR_REQUEST` (invalid) unless a value is a text that a query may be as long as. */
export function checkQueryText(value: unknown): void {
  checkText('query', value);
  const { length } = value as string;
  if (length <= MAX_QUERY_LENGTH) return;
  const message = `query must have at most ${MAX_QUERY_LENGTH} characters; got ${length}`;
  throw new CodedError({ code: 'ERR_REQUEST', kind: 'invalid', message });
}

/** @throws `ERR_REQUEST` (invalid) unless what every read operation takes is what it must be. */
export function checkReading(viewer: Viewer, request: ReadOperation & SearchFilters): void {
  checkViewer(viewer);
  checkObject('request', request);
  const { indices, budget, typeFilter, range, nextTurn, signal } = request;
  if (signal !== undefined && !isSignal(signal)) refuseArgument('signal', 'an AbortSignal', signal);
  if (nextTurn !== undefined && typeof nextTurn !== 'function') refuseArgument('nextTurn', 'a function', nextTurn);
  if (indices !== undefined) checkTexts('indices', indices);
  if (budget !== undefined) checkObject('budget', budget);
  if (typeFilter !== undefined) {
    checkObject('typeFilter', typeFilter);
    checkTexts('typeFilter.values', typeFilter.values);
    if (!MODES.has(typeFilter.mode)) refuseArgument('typeFilter.mode', 'any, entity or identifier', typeFilter.mode);
  }
  if (range === undefined) return;
  checkObject('range', range);
  checkTexts('range.fields', range.fields);
  if (range.start !== undefined) checkText('range.start', range.start);
  if (range.end !== undefined) checkText('range.end', range.end);
}

function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'aborted') === 'boolean';
}

const MODES: ReadonlySet<unknown> = new Set([undefined, 'any', 'entity', 'identifier']);
const QUERY_TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  ...['query', 'term', 'phrase', 'as-you-type', 'like', 'like-document'],
]);

const FUZZINESSES: ReadonlySet<unknown> = new Set([undefined, 'auto', 0, 1, 2]);

/** @throws `ERR_REQUEST` (invalid) unless a value says how many letters may be wrong */
export function checkFuzziness(value: unknown): void {
  if (!FUZZINESSES.has(value)) refuseArgument('fuzziness', 'auto, 0, 1 or 2', value);
}

/** @throws `ERR_REQUEST` (invalid) for what is no limit of a budget */
export function checkLimit(value: unknown, name: string): void {
  if (typeof value !== 'number' || !(value >= 0)) refuseArgument(`budget.${name}`, 'a number of 0 or more', value);
}

/** A request with a query. */
export type Querying = ReadOperation &
  SearchFilters &
  Relevance &
  Pick<SearchRequest, 'query' | 'type' | 'fuzziness' | 'languages'>;

export function checkQuerying(viewer: Viewer, request: Querying): void {
  checkReading(viewer, request);
  checkFuzziness(request.fuzziness);
  checkQueryText(request.query);
  if (!QUERY_TYPES.has(request.type))
    refuseArgument('type', 'query, term, phrase, as-you-type, like or like-document', request.type);
  if (request.languages !== undefined) checkTexts('languages', request.languages);
}

export interface Page {
  readonly limit: number;
  /** 1-based. */
  readonly offset: number;
}

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
/** Deepest match that can be reached by paging. */
const MAX_REACH = 1_000_000;

/** Reads limit and offset. @throws `ERR_REQUEST` (invalid) when one is out of bounds. */
export function toPage({ limit = DEFAULT_LIMIT, offset = 1 }: Pick<SearchRequest, 'limit' | 'offset'>): Page {
  checkWhole('limit', limit, 1, MAX_LIMIT);
  checkWhole('offset', offset, 1, MAX_REACH);
  return { limit, offset };
}

/** @throws `ERR_REQUEST` (invalid) unless a value is a whole number within bounds. */
export function checkWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  refuseArgument(name, `${least} to ${most}`, value);
}
