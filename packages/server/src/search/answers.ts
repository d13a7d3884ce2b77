import { CodedError } from '@cairn/errors';
import type { ReadOperation, SearchIndex } from '@cairn/search';
import { parameterFault } from '../parameters/read.ts';
import type { Context } from '../routing/context.ts';
import type { AnswerDescription } from '../routing/route.ts';

/** The index of the service. @throws `ERR_NO_INDEX` (unavailable) when there is none. */
export function indexOf({ services }: Context): SearchIndex {
  if (services.search !== undefined) return services.search;
  throw new CodedError({ code: 'ERR_NO_INDEX', kind: 'unavailable', message: 'no search index is available' });
}

export function toOperation(context: Context, values: { readonly indices: readonly string[] }): ReadOperation {
  return {
    indices: toIndices(context, values.indices),
    signal: context.signal,
    nextTurn: context.nextTurn,
    nowMs: Date.now(),
    budget: { timeLimitMs: context.configuration.search.timeLimitMs },
  };
}

/** The indices of a request, `undefined` for all. @throws `ERR_PARAMETER` for one that is not configured. */
export function toIndices(context: Context, indices: readonly string[]): readonly string[] | undefined {
  if (indices.length === 0) return undefined;
  const known = indexOf(context).indices;
  const unknown = indices.find((name) => !known.includes(name));
  if (unknown === undefined) return [...new Set(indices)];
  const message = `${context.source.endpoint}: indices must be among ${known.join(', ')}; got ${JSON.stringify(unknown.slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
}

/** Refuses more ids than one request may name. @throws `ERR_PARAMETER` (invalid). */
export function checkIdCount({ configuration, source }: Context, ids: readonly string[]): void {
  const { maxIds } = configuration.server.limits;
  if (ids.length > maxIds)
    throw parameterFault(source, 'id', `must be given at most ${maxIds} times; got ${ids.length}`);
}

/** Of every endpoint that reads the index. */
export const SEARCH_READ = { area: 'search', method: 'GET', access: 'search.read' } as const;

/** Of every endpoint that takes a query. */
export const NO_LIKED_DOCUMENT: AnswerDescription = {
  status: 404,
  description: 'With `type=like-document`: no such document, or none that the user may see.',
};

export const SEARCH_FAULTS: readonly AnswerDescription[] = [
  { status: 400, description: 'Invalid parameters, or an unsupported query type or feature.' },
  { status: 401, description: 'No user.' },
  { status: 403, description: 'The user lacks the permission.' },
  { status: 500, description: 'The server failed to process the request.' },
  { status: 503, description: 'No search index is available, or a time limit ran out.' },
];
