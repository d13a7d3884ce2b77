import type * as RDF from '@rdfjs/types';
import type { TermId } from '../../store/term-kind.ts';
import { createGraphSchema, type GraphSchema, type PageSize, type ResolverTable } from '../execution/graph-schema.ts';
import { once, type RequestContext, viewOf } from '../execution/request-context.ts';
import type { LazyOrder } from '../graph/lazy-order.ts';
import type { Direction } from '../graph/view.ts';
import { type Entity, findEntity, hashText, toEntity, uriOf } from './entity.ts';
import { predicateFacets, toFacets } from './facets.ts';
import { IES_STATES, type PlatformConfiguration, type PlatformSchemaOptions } from './options.ts';
import { type PageArguments, pageSize, toPage } from './paging.ts';
import { findRelations, type NamedRelations, type RelationFilters } from './relation-filter.ts';
import { PLATFORM_SDL } from './sdl.ts';
import { type SearchArguments, searchEntities } from './search.ts';
import { ShortForms } from './short-form.ts';
import { countRelations, endOf, findStates, pageRelations, periodOf, type StateValue, startOf } from './states.ts';

const PAGED: Readonly<Record<string, PageSize>> = Object.fromEntries(
  [
    'Query.search',
    'Query.searchWithMetadata',
    'Query.states',
    'Query.nodes',
    'Node.types',
    'Node.properties',
    'Node.outRels',
    'Node.inRels',
    'Node.instances',
    'State.relations',
  ].map((field) => [field, pageSize]),
);

interface RelValue {
  readonly domain: Entity;
  readonly predicate: string;
  readonly range: Entity;
}

/** Creates the platform schema: entities, their relations, counts and facets, states, and search. */
export function createPlatformSchema(options: PlatformSchemaOptions = {}): GraphSchema {
  const { name = 'platform', states = IES_STATES, prefixes = {} } = options;
  const configuration: PlatformConfiguration = { name, states, prefixes };
  const resolvers: ResolverTable = {
    Query: queryResolvers(configuration),
    ...nodeResolvers(configuration),
    ...stateResolvers(),
  };
  return createGraphSchema(name, PLATFORM_SDL, resolvers, {
    ...PAGED,
    'Query.getAllEntities': (argument) => (argument('limit') === undefined ? 1 : pageSize(argument)),
  });
}

function queryResolvers({ states }: PlatformConfiguration): ResolverTable[string] {
  return {
    search: async (_root, args: SearchArguments, context) => (await searchEntities(context, args)).nodes,
    searchWithMetadata: (_root, args: SearchArguments, context) => searchEntities(context, args),
    getAllEntities: (_root, args: PageArguments & { graph?: string | null }, context) => {
      const view = viewOf(context, args.graph);
      if (view === undefined) return [];
      const all = view.typed();
      const isPaged = args.limit !== null && args.limit !== undefined;
      const { start, limit } = isPaged ? toPage(args) : { ...toPage({ offset: args.offset ?? 1 }), limit: all.length };
      return pageEntities(context, { view }, all, start, limit);
    },
    states: (_root, args: PageArguments & { uri: string; graph?: string | null }, context) => {
      const { start, limit } = toPage(args);
      const view = viewOf(context, args.graph);
      const found = view === undefined ? [] : findStates(context, view, args.uri, states).slice(start, start + limit);
      context.guard.countItems(found.length);
      return found;
    },
    node: (_root, { graph, uri }: { graph?: string | null; uri: string }, context) => {
      const view = viewOf(context, graph);
      return view === undefined ? null : (findEntity(context, view, uri) ?? null);
    },
    nodes: (_root, args: PageArguments & { graph?: string | null; uris: readonly string[] }, context) => {
      const { start, limit } = toPage(args);
      const view = viewOf(context, args.graph);
      if (view === undefined) return [];
      const found = [...new Set(args.uris)].map((uri) => findEntity(context, view, uri));
      const page = found.filter((entity) => entity !== undefined).slice(start, start + limit);
      context.guard.countItems(page.length);
      return page;
    },
  };
}

function nodeResolvers({ prefixes }: PlatformConfiguration): ResolverTable {
  const shortForms = (context: RequestContext): ShortForms =>
    once(context, 'short-forms', () => new ShortForms({ ...context.prefixes, ...prefixes }));
  return {
    Node: {
      id: ({ uri }: Entity) => uri,
      uriHash: ({ uri }: Entity, _args, context) => once(context, `hash/${uri}`, () => hashText(uri)),
      shortUri: ({ uri }: Entity, _args, context) => shortForms(context).shorten(uri),
      types: (entity: Entity, args: PageArguments, context) => {
        const { start, limit } = toPage(args);
        return pageEntities(context, entity, entity.view.types(entity.id), start, limit);
      },
      instances: (entity: Entity, args: PageArguments, context) => {
        const { start, limit } = toPage(args);
        return pageEntities(context, entity, entity.view.instances(entity.id), start, limit);
      },
      properties: (entity: Entity, args: PageArguments & RelationFilters, context) =>
        pageProperties(context, entity, args, shortForms(context)),
      outRels: (entity: Entity, args: PageArguments & RelationFilters, context) =>
        pageRels(context, entity, 'out', args),
      inRels: (entity: Entity, args: PageArguments & RelationFilters, context) => pageRels(context, entity, 'in', args),
      relCounts: (entity: Entity) => entity,
      relFacets: (entity: Entity) => entity,
    },
    Rel: {
      id: ({ domain, predicate, range }: RelValue) => hashText(`<${domain.uri}> <${predicate}> <${range.uri}>.`),
      domain_id: ({ domain }: RelValue) => domain.uri,
      range_id: ({ range }: RelValue) => range.uri,
    },
    NodeRelCounts: {
      outRels: (entity: Entity, filters: RelationFilters, context) =>
        nodeRels(context, entity, 'out', filters).relations.size,
      inRels: (entity: Entity, filters: RelationFilters, context) =>
        nodeRels(context, entity, 'in', filters).relations.size,
      properties: (entity: Entity, filters: RelationFilters, context) =>
        findRelations(context, entity, 'out', 'literals', filters).relations.size,
      types: ({ view, id }: Entity) => view.types(id).length,
      instances: ({ view, id }: Entity) => view.instances(id).length,
    },
    NodeRelFacets: {
      outRels: (entity: Entity, filters: RelationFilters, context) => ({
        view: entity.view,
        ...nodeRels(context, entity, 'out', filters),
      }),
      inRels: (entity: Entity, filters: RelationFilters, context) => ({
        view: entity.view,
        ...nodeRels(context, entity, 'in', filters),
      }),
    },
    RelFacetInfo: {
      types: ({ view, relations, key }: NamedRelations & Pick<Entity, 'view'>, _args, context) => {
        const counts = view.typeCounts(key, relations);
        return toFacets(context, shortForms(context), counts, counts.size);
      },
      predicates: (named: NamedRelations, _args, context) => predicateFacets(context, shortForms(context), named),
    },
  };
}

function stateResolvers(): ResolverTable {
  return {
    State: {
      uri: ({ id }: StateValue, _args, context) => uriOf(context.snapshot, id),
      type: ({ view, id }: StateValue, _args, context) => uriOf(context.snapshot, view.types(id).page(0, 1)[0]!),
      start: (state: StateValue, _args, context) => startOf(context, state),
      end: (state: StateValue, _args, context) => endOf(context, state),
      period: (state: StateValue, _args, context) => periodOf(context, state, state.id),
      relations: (state: StateValue, args: PageArguments, context) => {
        const found = pageRelations(state, toPage(args));
        context.guard.countItems(found.length);
        return found.map(({ predicate, other }) => ({
          predicate: uriOf(context.snapshot, predicate),
          entity: toEntity(context, state.view, other),
        }));
      },
      relCounts: (state: StateValue) => ({ relations: countRelations(state) }),
    },
  };
}

function nodeRels(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  filters: RelationFilters,
): NamedRelations {
  return findRelations(context, entity, direction, 'nodes', filters);
}

function pageEntities(
  context: RequestContext,
  { view }: Pick<Entity, 'view'>,
  ids: LazyOrder,
  start: number,
  limit: number,
): Entity[] {
  const page = ids.page(start, start + limit);
  context.guard.countItems(page.length);
  return Array.from(page, (id) => toEntity(context, view, id));
}

function pageRels(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  args: PageArguments & RelationFilters,
): RelValue[] {
  const { start, limit } = toPage(args);
  const page = nodeRels(context, entity, direction, args).relations.page(start, limit);
  context.guard.countItems(page.length);
  return page.map(({ predicate, other }) => {
    const end = toEntity(context, entity.view, other);
    const [domain, range] = direction === 'out' ? [entity, end] : [end, entity];
    return { domain, predicate: predicateOf(context, predicate), range };
  });
}

function predicateOf(context: RequestContext, predicate: TermId): string {
  return once(context, `iri/${predicate}`, () => uriOf(context.snapshot, predicate));
}

function pageProperties(
  context: RequestContext,
  entity: Entity,
  args: PageArguments & RelationFilters,
  short: ShortForms,
) {
  const { start, limit } = toPage(args);
  const page = findRelations(context, entity, 'out', 'literals', args).relations.page(start, limit);
  context.guard.countItems(page.length);
  return page.map(({ predicate, other }) => {
    const { value, datatype, language } = context.snapshot.term(other) as RDF.Literal;
    const iri = predicateOf(context, predicate);
    const tag = language === '' ? null : language;
    return { predicate: iri, shortPredicate: short.shorten(iri), value, datatype: datatype.value, language: tag };
  });
}
