import { checkArray, checkObject, checkText } from '@cairn/errors';
import { checkOptional, checkTexts } from '../../rdf/arguments.ts';
import {
  createGraphSchema,
  type GraphSchema,
  type PageSize,
  type Resolver,
  type ResolverTable,
} from '../execution/graph-schema.ts';
import { once, type RequestContext, startView, wholeView } from '../execution/request-context.ts';
import { type Later, whenDone } from '../graph/pacer.ts';
import type { Relations } from '../graph/relations.ts';
import { countTypes } from '../graph/type-counts.ts';
import type { Direction, GraphView } from '../graph/view.ts';
import { type Entity, hashText, type Shorten, shortenBy, uriOf } from './entity.ts';
import { countPredicates, toFacets } from './facets.ts';
import { findEntity, toEntity } from './find-entity.ts';
import { IES_STATES, type PlatformSchemaOptions, type StateVocabulary } from './options.ts';
import {
  type PageArguments,
  pageEntities,
  pageProperties,
  pageRels,
  pageSize,
  predicateOf,
  type RelValue,
  toPage,
} from './page-fields.ts';
import { filterRelations, findRelations, isNarrowing, type RelationFilters } from './relation-filter.ts';
import { PLATFORM_SDL } from './sdl.ts';
import { type SearchArguments, searchEntities } from './search.ts';
import { countRelations, edgeOf, findStates, pageRelations, periodOf, type StateValue } from './states.ts';

const PAGED_FIELDS = [
  ...['search', 'searchWithMetadata', 'states', 'nodes'].map((field) => `Query.${field}`),
  ...['types', 'properties', 'outRels', 'inRels', 'instances'].map((field) => `Node.${field}`),
  'State.relations',
];
const PAGED: Readonly<Record<string, PageSize>> = Object.fromEntries(PAGED_FIELDS.map((field) => [field, pageSize]));

/** Creates the platform schema: entities, their relations, counts and facets, states, and search. */
export function createPlatformSchema(options: PlatformSchemaOptions = {}): GraphSchema {
  checkOptions(options);
  const { name = 'platform', states = IES_STATES, prefixes = {} } = options;
  const resolvers = { Query: queryResolvers(states), ...nodeResolvers(prefixes), ...STATE_RESOLVERS };
  return createGraphSchema(name, PLATFORM_SDL, resolvers, {
    ...PAGED,
    'Query.getAllEntities': (argument) => (argument('limit') === undefined ? 1 : pageSize(argument)),
  });
}

function checkOptions(options: PlatformSchemaOptions): void {
  checkObject(options, 'the options of createPlatformSchema');
  checkOptional(options.name, 'the name of the schema', checkText);
  checkOptional(options.prefixes, 'the prefixes', checkTexts);
  if (options.states === undefined) return;
  checkObject(options.states, 'the states');
  const { links, ...names } = options.states;
  checkArray(links, 'the links of the states');
  for (const link of links) checkText(link, 'a link of the states');
  for (const key of STATE_NAMES) checkText(names[key], `${key} of the states`);
}

const STATE_NAMES = ['isStartOf', 'isEndOf', 'inPeriod', 'representation'] as const;

const STATE_RESOLVERS: ResolverTable = {
  State: {
    uri: ({ id }: StateValue, _args, context) => uriOf(context.reader, id),
    type: async ({ view, id }: StateValue, _args, { guard, reader }) => {
      const [first] = await (await view.types(guard, id)).page(guard, 0, 1);
      return uriOf(reader, first);
    },
    start: (state: StateValue, _args, context) => edgeOf(context, state, state.vocabulary.isStartOf),
    end: (state: StateValue, _args, context) => edgeOf(context, state, state.vocabulary.isEndOf),
    period: (state: StateValue, _args, context) => periodOf(context, state, state.id),
    relations: async (state: StateValue, args: PageArguments, context) => {
      const found = await pageRelations(context, state, toPage(args));
      context.guard.countItems(found.length);
      return found.map(({ predicate, other }) => ({
        predicate: predicateOf(context, predicate),
        entity: toEntity(context, state.view, other),
      }));
    },
    relCounts: (state: StateValue) => state,
  },
  StateRelCounts: {
    relations: (state: StateValue, _args, context) => countRelations(context, state),
  },
};

function queryResolvers(states: StateVocabulary): ResolverTable[string] {
  return {
    search: async (_root, args: SearchArguments, context) => (await searchEntities(context, args)).nodes,
    searchWithMetadata: (_root, args: SearchArguments, context) => searchEntities(context, args),
    getAllEntities: (_root, args: PageArguments & { graph?: string | null }, context) => {
      const start = startView(context, args.graph);
      if (start === undefined) return [];
      const isPaged = args.limit !== null && args.limit !== undefined;
      return whenDone(start.typed(context.guard), (all) => {
        const page = isPaged ? toPage(args) : { ...toPage({ offset: args.offset ?? 1 }), limit: all.length };
        return pageEntities(context, wholeView(context), all, page);
      });
    },
    states: async (_root, args: PageArguments & { uri: string; graph?: string | null }, context) => {
      const page = toPage(args);
      const start = startView(context, args.graph);
      const entity = start && findEntity(context, start, args.uri);
      const found = entity === undefined ? [] : await findStates(context, entity, states, page);
      context.guard.countItems(found.length);
      return found;
    },
    node: (_root, { graph, uri }: { graph?: string | null; uri: string }, context) => {
      const start = startView(context, graph);
      return start === undefined ? null : (findEntity(context, start, uri) ?? null);
    },
    nodes: (_root, args: PageArguments & { graph?: string | null; uris: readonly string[] }, context) => {
      const { start, limit } = toPage(args);
      const view = startView(context, args.graph);
      if (view === undefined) return [];
      const found = [...new Set(args.uris)].map((uri) => findEntity(context, view, uri));
      const page = found.filter((entity) => entity !== undefined).slice(start, start + limit);
      context.guard.countItems(page.length);
      return page;
    },
  };
}

function nodeResolvers(prefixes: Readonly<Record<string, string>>): ResolverTable {
  const shortener = (context: RequestContext): Shorten =>
    once(context, 'short-forms', () => shortenBy({ ...context.prefixes, ...prefixes }));
  return {
    Node: {
      id: ({ uri }: Entity) => uri,
      uriHash: ({ uri }: Entity, _args, context) => once(context, `hash/${uri}`, () => hashText(uri)),
      shortUri: ({ uri }: Entity, _args, context) => shortener(context)(uri),
      types: listOf('types'),
      instances: listOf('instances'),
      properties: (entity: Entity, args: PageArguments & RelationFilters, context) =>
        pageProperties(context, entity, args, shortener(context)),
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
      outRels: countOf('out', 'nodes'),
      inRels: countOf('in', 'nodes'),
      properties: countOf('out', 'literals'),
      types: (entity: Entity, _args, context) => whenDone(entity.types(context.guard), ({ length }) => length),
      instances: (entity: Entity, _args, context) => whenDone(entity.instances(context.guard), ({ length }) => length),
    },
    NodeRelFacets: {
      outRels: (entity: Entity, filters: RelationFilters, context) => facetSource(context, entity, 'out', filters),
      inRels: (entity: Entity, filters: RelationFilters, context) => facetSource(context, entity, 'in', filters),
    },
    RelFacetInfo: {
      types: async (source: FacetSource, filters: RelationFilters, context) => {
        const { view, relations, key } = await narrowed(context, source, filters);
        return toFacets(context, shortener(context), await countTypes(context.guard, view, key, relations));
      },
      predicates: async (source: FacetSource, filters: RelationFilters, context) => {
        const { relations } = await narrowed(context, source, filters);
        return toFacets(context, shortener(context), await countPredicates(context, relations));
      },
    },
  };
}

function listOf(list: 'types' | 'instances'): Resolver {
  return (entity: Entity, args: PageArguments, context) => {
    const page = toPage(args);
    return whenDone(entity[list](context.guard), (all) => pageEntities(context, entity.view, all, page));
  };
}

function countOf(direction: Direction, part: 'nodes' | 'literals'): Resolver {
  return (entity: Entity, filters: RelationFilters, context) =>
    whenDone(findRelations(context, entity, direction, part, filters), ({ size }) => size);
}

interface FacetSource {
  readonly view: GraphView;
  readonly relations: Relations;
  /** Names the relations for what is remembered of them, where no filter narrows them. */
  readonly key: string | undefined;
}

/** The relations of facets that pass the filters of one kind of facet, too. */
async function narrowed(context: RequestContext, source: FacetSource, filters: RelationFilters): Promise<FacetSource> {
  const relations = await filterRelations(context, source.view, source.relations, filters);
  return relations === source.relations ? source : { ...source, relations, key: undefined };
}

function facetSource(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  filters: RelationFilters,
): Later<FacetSource> {
  const { view, id } = entity;
  const key = isNarrowing(filters) ? undefined : `${id}/${direction}`;
  const found = findRelations(context, entity, direction, 'nodes', filters);
  return whenDone(found, (relations) => ({ view, relations, key }));
}
