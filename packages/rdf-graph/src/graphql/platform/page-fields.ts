import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { TermId } from '../../graph/port/term-kind.ts';
import type { PageSize } from '../execution/graph-schema.ts';
import type { RequestContext } from '../execution/request-context.ts';
import type { LazyOrder } from '../graph/lazy-order.ts';
import { type Later, mapInSteps, whenDone } from '../graph/pacer.ts';
import type { Relation } from '../graph/relations.ts';
import type { Direction, GraphView } from '../graph/view.ts';
import type { Entity, Shorten } from './entity.ts';
import { toEntity } from './find-entity.ts';
import { findRelations, type RelationFilters } from './relation-filter.ts';

/** Items of a page when nothing is said. */
const DEFAULT_LIMIT = 50;

/** Items of a page at most. */
const MAX_LIMIT = 250;

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
  if (limit !== null && limit !== undefined && limit > MAX_LIMIT) {
    const message = `limit must be at most ${MAX_LIMIT}; got ${limit}`;
    throw new CodedError({ code: 'ERR_GRAPHQL_PAGE', kind: 'invalid', message });
  }
  return { start: Math.max(0, (offset ?? 1) - 1), limit: limit && limit > 0 ? limit : DEFAULT_LIMIT };
}

export const pageSize: PageSize = (argument) => {
  const limit = argument('limit');
  return limit === undefined || limit <= 0 ? DEFAULT_LIMIT : limit;
};

/** A relation between two nodes. */
export interface RelValue {
  readonly domain: Entity;
  readonly predicate: string;
  readonly range: Entity;
}

/** A relation to a literal. */
export interface PropertyValue {
  readonly predicate: string;
  readonly shortPredicate: string;
  readonly value: string;
  readonly datatype: string;
  readonly language: string | null;
}

/** A page of a list of nodes, counted. */
export function pageEntities(
  context: RequestContext,
  view: GraphView,
  ids: LazyOrder,
  { start, limit }: Page,
): Later<Entity[]> {
  return whenDone(ids.page(context.guard, start, start + limit), (page) => {
    context.guard.countItems(page.length);
    return mapInSteps(context.guard, page, (id) => toEntity(context, view, id));
  });
}

/** A page of an entity's relations to nodes, from whichever end. */
export function pageRels(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  args: PageArguments & RelationFilters,
): Later<RelValue[]> {
  return whenDone(pageOf(context, entity, direction, 'nodes', args), (page) =>
    page.map(({ predicate, other }) => {
      const end = toEntity(context, entity.view, other);
      const [domain, range] = direction === 'out' ? [entity, end] : [end, entity];
      return { domain, predicate: predicateOf(context, predicate), range };
    }),
  );
}

/** A page of an entity's relations, counted. */
function pageOf(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  part: 'nodes' | 'literals',
  args: PageArguments & RelationFilters,
): Later<readonly Relation[]> {
  const { start, limit } = toPage(args);
  const { guard } = context;
  const found = findRelations(context, entity, direction, part, args);
  return whenDone(
    whenDone(found, (relations) => relations.page(guard, start, limit)),
    (page) => {
      guard.countItems(page.length);
      return page;
    },
  );
}

export function predicateOf(context: RequestContext, predicate: TermId): string {
  return context.reader.term(predicate).value;
}

export function pageProperties(
  context: RequestContext,
  entity: Entity,
  args: PageArguments & RelationFilters,
  shorten: Shorten,
): Later<PropertyValue[]> {
  return whenDone(pageOf(context, entity, 'out', 'literals', args), (page) =>
    page.map(({ predicate, other }) => {
      const { value, datatype, language } = context.reader.term(other) as RDF.Literal;
      const iri = predicateOf(context, predicate);
      const tag = language === '' ? null : language;
      return { predicate: iri, shortPredicate: shorten(iri), value, datatype: datatype.value, language: tag };
    }),
  );
}
