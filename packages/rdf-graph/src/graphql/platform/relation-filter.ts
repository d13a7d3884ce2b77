import { CodedError } from '@cairn/errors';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import { once, type RequestContext } from '../execution/request-context.ts';
import type { Relations } from '../graph/relations.ts';
import type { Direction, GraphView, RelationPart } from '../graph/view.ts';
import { type Entity, idOfUri } from './entity.ts';

/** Keeps or drops what the values name. */
export interface UriFilter {
  readonly values: readonly string[];
  readonly mode?: 'INCLUDE' | 'EXCLUDE' | null;
}

/** Which relations are meant; the filters must all hold. */
export interface RelationFilters {
  readonly predicateFilter?: UriFilter | null;
  /** Looks at the types of the other end. */
  readonly typeFilter?: UriFilter | null;
  /** Looks at the other end. */
  readonly nodeFilter?: UriFilter | null;
}

/** Relations with a name for what is remembered of them; none where filters narrow them. */
export interface NamedRelations {
  readonly relations: Relations;
  readonly key: string | undefined;
}

type Test = (id: TermId) => boolean;

/** The relations of an entity that pass the filters, read and filtered once per request. */
export function findRelations(
  context: RequestContext,
  { view, id }: Entity,
  direction: Direction,
  part: RelationPart,
  filters: RelationFilters,
): NamedRelations {
  const relations = view.relations(id, direction, part);
  const { predicateFilter, typeFilter, nodeFilter } = filters;
  if (!predicateFilter && !typeFilter && !nodeFilter) return { relations, key: `${id}/${direction}/${part}` };
  const key = `relations/${view.graph}/${id}/${direction}/${part}/${JSON.stringify([predicateFilter, typeFilter, nodeFilter])}`;
  return once(context, key, () => {
    const keepsPredicate = idTest(context, 'predicateFilter', predicateFilter) ?? (() => true);
    const tests = [idTest(context, 'nodeFilter', nodeFilter), typeTest(context, view, relations, typeFilter)];
    const given = tests.filter((test) => test !== undefined);
    const keepsOther = given.length === 0 ? undefined : (other: TermId) => given.every((test) => test(other));
    return { relations: relations.filter(keepsPredicate, keepsOther), key: undefined };
  });
}

function idTest(context: RequestContext, name: string, filter: UriFilter | null | undefined): Test | undefined {
  if (!filter) return undefined;
  const ids = new Set(valuesOf(name, filter).map((value) => idOfUri(context.snapshot, value)));
  const isIncluding = filter.mode !== 'EXCLUDE';
  return (id) => ids.has(id) === isIncluding;
}

function typeTest(
  context: RequestContext,
  view: GraphView,
  relations: Relations,
  filter: UriFilter | null | undefined,
): Test | undefined {
  if (!filter) return undefined;
  const types = valuesOf('typeFilter', filter).map((value) => idOfUri(context.snapshot, value));
  const tests = types.filter((type) => type !== UNBOUND).map((type) => instanceTest(context, view, relations, type));
  const isIncluding = filter.mode !== 'EXCLUDE';
  return (id) => tests.some((test) => test(id)) === isIncluding;
}

/** Asks for each node where few are asked about, else reads all instances once. */
function instanceTest(context: RequestContext, view: GraphView, relations: Relations, type: TermId): Test {
  const count = context.snapshot.count(UNBOUND, view.typeId, type, view.graph);
  if (count > relations.size * 4) return (id) => view.isInstance(id, type);
  const ids = once(context, `instances/${view.graph}/${type}`, () => new Set(view.instances(type).unordered));
  return (id) => ids.has(id);
}

function valuesOf(name: string, { values }: UriFilter): readonly string[] {
  if (values.length > 0) return values;
  const message = `${name}.values must have at least one value; got none`;
  throw new CodedError({ code: 'ERR_GRAPHQL_FILTER', kind: 'invalid', message });
}
