import { CodedError } from '@cairn/errors';
import type { PageSize } from '../execution/graph-schema.ts';

/** Items of a page when nothing is said. */
export const DEFAULT_LIMIT = 50;

/** Items of a page at most. */
export const MAX_LIMIT = 250;

export interface PageArguments {
  readonly limit?: number | null;
  /** 1-based. */
  readonly offset?: number | null;
}

/** A stretch of a list; `start` is 0-based. */
export interface Page {
  readonly start: number;
  readonly limit: number;
}

/** The page that arguments ask for. @throws `ERR_GRAPHQL_PAGE` (invalid) for a limit over {@link MAX_LIMIT} */
export function toPage({ limit, offset }: PageArguments): Page {
  if (limit !== null && limit !== undefined && limit > MAX_LIMIT) throw limitError(limit);
  return { start: Math.max(0, (offset ?? 1) - 1), limit: limit && limit > 0 ? limit : DEFAULT_LIMIT };
}

export const pageSize: PageSize = (argument) => {
  const limit = argument('limit');
  return limit === undefined || limit <= 0 ? DEFAULT_LIMIT : limit;
};

function limitError(limit: number): CodedError {
  const message = `limit must be at most ${MAX_LIMIT}; got ${limit}`;
  return new CodedError({ code: 'ERR_GRAPHQL_PAGE', kind: 'invalid', message });
}
