import { CodedError } from '@cairn/errors';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { once, onceOf, type RequestContext } from '../execution/request-context.ts';
import { type Later, STEP, whenDone } from '../graph/pacer.ts';
import type { RelationPart, Relations } from '../graph/relations.ts';
import type { Direction, GraphView } from '../graph/view.ts';
import { type Entity, idOfUri } from './entity.ts';

/** Keeps or drops what the values name. */
export interface UriFilter {
  readonly values: readonly string[];
  readonly mode?: 'INCLUDE' | 'EXCLUDE' | null;
}

/** Selection of relations; all filters must hold. */
export interface RelationFilters {
  readonly predicateFilter?: UriFilter | null;
  readonly typeFilter?: UriFilter | null;
  /** Looks at the other end. */
  readonly nodeFilter?: UriFilter | null;
}

type Test = (id: TermId) => boolean;

/** The relations of an entity that pass the filters, read and filtered once per request. */
export function findRelations(
  context: RequestContext,
  entity: Entity,
  direction: Direction,
  part: Exclude<RelationPart, 'all'>,
  filters: RelationFilters,
): Later<Relations> {
  const relations = entity.relations(context.guard, direction, part);
  if (!isNarrowing(filters)) return relations;
  const { predicateFilter, typeFilter, nodeFilter } = filters;
  const key = `relations/${entity.view.graph}/${entity.id}/${direction}/${part}/${JSON.stringify([predicateFilter, typeFilter, nodeFilter])}`;
  return once(context, key, () => whenDone(relations, (all) => filterRelations(context, entity.view, all, filters)));
}

/** Returns true if there is any filter. */
export function isNarrowing({ predicateFilter, typeFilter, nodeFilter }: RelationFilters): boolean {
  return Boolean(predicateFilter || typeFilter || nodeFilter);
}

/** The relations that pass the filters; they themselves without any. */
export function filterRelations(
  context: RequestContext,
  view: GraphView,
  relations: Relations,
  filters: RelationFilters,
): Later<Relations> {
  if (!isNarrowing(filters)) return relations;
  const { keepsPredicate, keepsNode } = onceOf(context, filters, () => ({
    keepsPredicate: idTest(context, 'predicateFilter', filters.predicateFilter),
    keepsNode: idTest(context, 'nodeFilter', filters.nodeFilter),
  }));
  return whenDone(typeTest(context, view, relations, filters.typeFilter), (keepsType) =>
    relations.filter(context.guard, { keepsPredicate, keepsOther: both(keepsNode, keepsType) }),
  );
}

function both(first: Test | undefined, second: Test | undefined): Test | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (id) => first(id) && second(id);
}

function idTest(context: RequestContext, name: string, filter: UriFilter | null | undefined): Test | undefined {
  if (!filter) return undefined;
  const ids = new Set(valuesOf(name, filter).map((value) => idOfUri(context.reader, value)));
  const isIncluding = filter.mode !== 'EXCLUDE';
  return (id) => ids.has(id) === isIncluding;
}

function typeTest(
  context: RequestContext,
  view: GraphView,
  relations: Relations,
  filter: UriFilter | null | undefined,
): Later<Test | undefined> {
  if (!filter) return undefined;
  const isIncluding = filter.mode !== 'EXCLUDE';
  const known = onceOf(context, filter, () =>
    valuesOf('typeFilter', filter)
      .map((value) => idOfUri(context.reader, value))
      .filter((type) => type !== UNBOUND),
  );
  if (relations.size <= STEP) {
    return (id) => known.some((type) => view.isInstance(id, type)) === isIncluding;
  }
  return typeTestOfMany(context, view, relations, known, isIncluding);
}

async function typeTestOfMany(
  context: RequestContext,
  view: GraphView,
  relations: Relations,
  types: readonly TermId[],
  isIncluding: boolean,
): Promise<Test> {
  const tests: Test[] = [];
  for (const type of types) tests.push(await instanceTest(context, view, relations, type));
  return (id) => tests.some((test) => test(id)) === isIncluding;
}

/** Asks for each node where few are asked about, else reads all instances once. */
async function instanceTest(
  context: RequestContext,
  view: GraphView,
  relations: Relations,
  type: TermId,
): Promise<Test> {
  if (view.rows([UNBOUND, view.typeId, type]).size > relations.size * 4) return (id) => view.isInstance(id, type);
  const ids = await once(context, `instances/${view.graph}/${type}`, () => readInstances(context, view, type));
  return (id) => ids.has(id);
}

async function readInstances({ guard }: RequestContext, view: GraphView, type: TermId): Promise<Set<TermId>> {
  const ids = new Set<TermId>();
  const found = (await view.instances(guard, type)).unordered();
  for (let start = 0; start < found.length; start += STEP) {
    for (const id of found.subarray(start, start + STEP)) ids.add(id);
    await guard.step();
  }
  return ids;
}

function valuesOf(name: string, { values }: UriFilter): readonly string[] {
  if (values.length > 0) return values;
  const message = `${name}.values must have at least one value; got none`;
  throw new CodedError({ code: 'ERR_GRAPHQL_FILTER', kind: 'invalid', message });
}
