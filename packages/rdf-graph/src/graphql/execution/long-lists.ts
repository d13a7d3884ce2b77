import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { firstFailures } from './errors.ts';
import type { LongList, RequestContext } from './request-context.ts';

const [MOST_ITEMS, LEAST_ITEMS] = [256, 8];
/** Fields of a portion, where its items have many. */
const FIELDS = 2048;

/** The arguments of graphql's `execute` that matter here. */
type Execution = Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'rootValue'>;

type Path = GraphQLResolveInfo['path'];

/**
 * Executes a document and puts the long lists of its answer into their places.
 *
 * graphql-js completes a list in one go, however long it is. So the resolver of a long list executes its selection over
 * portions, with turns of the event loop between them, and leaves an empty list for the time being.
 */
export async function executeInPortions(execution: Execution, context: RequestContext): Promise<ExecutionResult> {
  const { schema, document, operationName, rootValue } = execution;
  const { longLists, variables } = context;
  const contextValue = context;
  const result = await execute({ schema, document, operationName, rootValue, contextValue, variableValues: variables });
  const own = result.errors === undefined ? [] : await firstFailures(result.errors, result.data, context);
  if (longLists.length === 0) return own.length === 0 ? result : { ...result, errors: own };
  const errors = [...own, ...longLists.flatMap((list) => list.errors)];
  for (const list of longLists) place(result.data, list);
  return errors.length === 0 ? result : { ...result, errors };
}

/** Returns true if a field's value is to be completed by {@link completeInPortions}. */
export function isLongList(value: unknown, info: GraphQLResolveInfo): value is readonly unknown[] {
  return Array.isArray(value) && info.fieldNodes[0]?.selectionSet !== undefined && value.length > portionOf(info);
}

/** Lists longer than this are completed in portions of this many items: fewer where each is asked for many fields. */
function portionOf(info: GraphQLResolveInfo): number {
  return Math.max(LEAST_ITEMS, Math.min(MOST_ITEMS, Math.floor(FIELDS / Math.max(1, widthOfItems(info)))));
}

/** Completes a long list; gives the empty list in for it. */
export async function completeInPortions(
  list: readonly unknown[],
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<readonly unknown[]> {
  const path = toPath(info.path);
  const items: unknown[] = [];
  const errors: GraphQLError[] = [];
  const [schema, document, size] = [portionSchema(info), portionDocument(info), portionOf(info)];
  for (let start = 0; start < list.length; start += size) {
    const rootValue = { items: list.slice(start, start + size) };
    const own: RequestContext = { ...context, longLists: [], fields: { open: 0, failures: [] } };
    const portion = await executeInPortions({ schema, document, rootValue }, own);
    const thrown = portion.errors ?? [];
    // Arguments that graphql-js itself refuses come to no resolver that would count them.
    context.guard.limitErrors(errors.length + thrown.length);
    const found = thrown.map((error) => moved(error, path, start));
    const completed = portion.data?.['items'] as readonly unknown[] | null | undefined;
    // An item that must not be null has failed: the list fails with it.
    if (!completed) throw found[0];
    for (const item of completed) items.push(item);
    errors.push(...found);
    await context.guard.step();
  }
  context.longLists.push({ path, items, errors });
  return [];
}

/** Puts a list where its stand-in is; nowhere when a null has taken the place of what holds it. */
function place(data: unknown, { path, items }: LongList): void {
  let parent = data as Record<string | number, unknown> | null | undefined;
  for (const key of path.slice(0, -1)) parent = parent?.[key] as typeof parent;
  const key = path[path.length - 1];
  if (parent?.[key]) parent[key] = items;
}

export function toPath(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.prev) keys.push(at.key);
  return keys.reverse();
}

/** An error of a portion as one of the whole: the portion's path begins with its list and the item in it. */
function moved(error: GraphQLError, path: readonly (string | number)[], start: number): GraphQLError {
  const { nodes, source, positions, originalError, extensions } = error;
  const [, index, ...rest] = error.path ?? [];
  const whole = typeof index === 'number' ? [...path, start + index, ...rest] : path;
  return new GraphQLError(error.message, { nodes, source, positions, path: whole, originalError, extensions });
}

const DOCUMENTS = new WeakMap<GraphQLResolveInfo['fieldNodes'], DocumentNode>();

/** The selection of a list's field, asked of the list alone. */
function portionDocument({ fieldNodes, fragments, operation }: GraphQLResolveInfo): DocumentNode {
  let document = DOCUMENTS.get(fieldNodes);
  if (document === undefined) {
    const selections = fieldNodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    const items = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: 'items' },
      selectionSet: { kind: Kind.SELECTION_SET, selections },
    } as const;
    const definition: OperationDefinitionNode = {
      ...operation,
      directives: [],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [items] },
    };
    const used = Object.values(fragments).filter((fragment) => fragment !== undefined);
    document = { kind: Kind.DOCUMENT, definitions: [definition, ...used] };
    DOCUMENTS.set(fieldNodes, document);
  }
  return document;
}

const SCHEMAS = new WeakMap<GraphQLSchema, Map<string, GraphQLSchema>>();

/** A schema whose only root field is a list of the type asked for. */
function portionSchema({ schema, returnType }: GraphQLResolveInfo): GraphQLSchema {
  const schemas = SCHEMAS.get(schema) ?? new Map<string, GraphQLSchema>();
  SCHEMAS.set(schema, schemas);
  const known = schemas.get(String(returnType));
  if (known !== undefined) return known;
  const query = new GraphQLObjectType({ name: 'Portion', fields: { items: { type: returnType } } });
  const created = new GraphQLSchema({ query, assumeValid: true });
  schemas.set(String(returnType), created);
  return created;
}

const WIDTHS = new WeakMap<SelectionSetNode, number>();

/**
 * How many fields are asked of each item of a field's list, at least: those without directives, in fragments too. Those
 * below nullable ones may be missing. 0 for a list of scalars.
 */
export function widthOfItems({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const { selectionSet } = fieldNodes[0];
  if (selectionSet === undefined) return 0;
  let width = WIDTHS.get(selectionSet);
  if (width === undefined) {
    width = countFields(selectionSet, fragments);
    WIDTHS.set(selectionSet, width);
  }
  return width;
}

function countFields({ selections }: SelectionSetNode, fragments: GraphQLResolveInfo['fragments']): number {
  let count = 0;
  for (const selection of selections) {
    if (selection.directives !== undefined && selection.directives.length > 0) continue;
    if (selection.kind === Kind.FIELD) count++;
    else if (selection.kind === Kind.INLINE_FRAGMENT) count += countFields(selection.selectionSet, fragments);
    else count += countFields(fragments[selection.name.value].selectionSet, fragments);
  }
  return count;
}
