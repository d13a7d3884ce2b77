import type { NextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';

/** Query of the search fields of a platform schema. */
export interface EntityQuery {
  readonly query: string;
  readonly type: 'query' | 'term' | 'phrase';
  /** Place of the first result, 1-based. */
  readonly offset: number;
  /** Results at most. */
  readonly limit: number;
  /** Only entities that have one of these types. Default: any. */
  readonly typeFilter?: { readonly values: readonly string[] };
  readonly signal: AbortSignal | undefined;
  readonly nextTurn: NextTurn | undefined;
}

/** A page of what was found. */
export interface FoundEntities {
  /** The IRIs of entities, best first. Those that the graph does not hold are left out of the answer. */
  readonly results: readonly { readonly id: string }[];
  /** True when there may be results after this page. */
  readonly maybeMore: boolean;
}

/**
 * The port by which GraphQL asks for entities by text. A `SearchIndex` of `@cairn/search` is one as it is.
 *
 * `search` MUST find only what the viewer may see, and MUST decide order and `maybeMore` by that alone. It MUST reject a
 * query that it cannot read with an error of the kind `invalid`, whose message the client is told; any other rejection
 * MAY say what it likes: the client is told that search is unavailable.
 */
export interface EntityFinder {
  search(viewer: Viewer, query: EntityQuery): Promise<FoundEntities>;
}
