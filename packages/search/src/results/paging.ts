import { refuseArgument } from '../port/arguments.ts';
import type { SearchRequest } from '../port/search-index.ts';

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
