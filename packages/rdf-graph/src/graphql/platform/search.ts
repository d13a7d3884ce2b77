import { CodedError, isCodedError } from '@cairn/errors';
import { type RequestContext, startView } from '../execution/request-context.ts';
import type { EntityQuery, FoundEntities } from '../port/entity-finder.ts';
import type { Entity } from './entity.ts';
import { findEntity } from './find-entity.ts';
import { type PageArguments, toPage } from './page-fields.ts';

type SearchType = 'QUERY' | 'TERM' | 'PHRASE' | 'WILDCARD';

export interface SearchArguments extends PageArguments {
  readonly graph?: string | null;
  readonly searchTerm: string;
  readonly searchType?: SearchType | null;
  readonly typeFilter?: string | null;
}

/** Answer of `searchWithMetadata`. */
export interface SearchAnswer {
  readonly searchTerm: string;
  readonly searchType: SearchType;
  readonly limit: number;
  readonly offset: number;
  readonly maybeMore: boolean;
  readonly nodes: readonly Entity[];
}

const QUERY_TYPES: Readonly<Partial<Record<SearchType, EntityQuery['type']>>> = {
  QUERY: 'query',
  TERM: 'term',
  PHRASE: 'phrase',
};

/**
 * Asks by text and answers the results that are entities of the graph.
 * @throws what the index says of the query; `ERR_SEARCH_UNAVAILABLE` (unavailable) when it cannot answer
 */
export async function searchEntities(context: RequestContext, args: SearchArguments): Promise<SearchAnswer> {
  const { searchTerm } = args;
  const searchType = args.searchType ?? 'QUERY';
  const { start, limit } = toPage(args);
  const results = await ask(context, args, queryType(searchType), start + 1, limit);
  const view = startView(context, args.graph);
  const found = view === undefined ? [] : results.results.map(({ id }) => findEntity(context, view, id));
  const nodes = found.filter((entity) => entity !== undefined);
  context.guard.countItems(nodes.length);
  return { searchTerm, searchType, limit, offset: start + 1, maybeMore: results.maybeMore, nodes };
}

function queryType(searchType: SearchType): EntityQuery['type'] {
  const type = QUERY_TYPES[searchType];
  if (type !== undefined) return type;
  const message = `searchType must be QUERY, TERM or PHRASE; got ${searchType}`;
  throw new CodedError({ code: 'ERR_GRAPHQL_SEARCH_TYPE', kind: 'unsupported', message });
}

async function ask(
  { search, viewer, signal, nextTurn, guard }: RequestContext,
  { searchTerm, typeFilter }: SearchArguments,
  type: EntityQuery['type'],
  offset: number,
  limit: number,
): Promise<FoundEntities> {
  if (search === undefined) throw unavailable(undefined);
  try {
    const filters = typeFilter ? { typeFilter: { values: [typeFilter] } } : {};
    return await search.search(viewer, { query: searchTerm, type, offset, limit, signal, nextTurn, ...filters });
  } catch (error) {
    guard.check();
    throw isCodedError(error) && error.kind === 'invalid' ? error : unavailable(error);
  }
}

function unavailable(cause: unknown): CodedError {
  const message = 'search is unavailable: the search index does not answer';
  return new CodedError({ code: 'ERR_SEARCH_UNAVAILABLE', kind: 'unavailable', message, cause });
}
