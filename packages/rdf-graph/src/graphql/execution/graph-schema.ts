import {
  buildSchema,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isListType,
} from 'graphql';
import { completeInPortions, isLongList, toPath, widthOfItems } from './long-lists.ts';
import type { RequestContext } from './request-context.ts';

export type Resolver = (source: never, args: never, context: RequestContext) => unknown;

/** Resolvers by type and field. Fields without one are read from the parent's value by their name. */
export type ResolverTable = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** How many items a field lists at most, by its numeric arguments: what the cost of a query is reckoned from. */
export type PageSize = (argument: (name: string) => number | undefined) => number;

/** A schema that `executeGraphQL` runs: its types with their resolvers. Make it once and use it for every request. */
export interface GraphSchema {
  /** `dataset`, `traversal`, or the segment of the platform schema. */
  readonly name: string;
  readonly schema: GraphQLSchema;
  /** The schema as text, with descriptions. */
  readonly sdl: string;
  /** Page sizes by `Type.field`; a list that is not here counts as one item, and is counted when it is made. */
  readonly pageSizes: Readonly<Record<string, PageSize>>;
}

/** A schema from its text and resolvers. @throws TypeError when a resolver has no field. */
export function createGraphSchema(
  name: string,
  sdl: string,
  resolvers: ResolverTable,
  pageSizes: GraphSchema['pageSizes'] = {},
): GraphSchema {
  const schema = buildSchema(sdl);
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    if (!(type instanceof GraphQLObjectType)) throw new TypeError(`the schema has no object type ${typeName}`);
    for (const [fieldName, resolver] of Object.entries(fields)) {
      const field = type.getFields()[fieldName];
      if (field === undefined) throw new TypeError(`the type ${typeName} has no field ${fieldName}`);
      field.resolve = guarded(resolver);
    }
  }
  return { name, schema, sdl, pageSizes };
}

type FieldResolver = GraphQLFieldResolver<unknown, RequestContext, unknown>;
type AnyResolver = (source: unknown, args: unknown, context: RequestContext) => unknown;

/** A resolver that lets other events through when it is time, looks at the limits then, and has long lists completed in portions. */
function guarded(resolver: Resolver): FieldResolver {
  const resolve = resolver as AnyResolver;
  const resolveLater: FieldResolver = async (source, args, context, info) => {
    await context.guard.pause();
    // Thousands of fields may have waited together: not each is to make an error of its own.
    if (context.guard.failure !== undefined) return nothingOf(info);
    context.guard.check();
    return resolve(source, args, context);
  };
  return (source, given, context, info) => {
    if (context.guard.failure !== undefined) return nothingOf(info);
    const args = argumentsOf(given, context, info);
    try {
      const value = context.guard.isPauseDue()
        ? resolveLater(source, args, context, info)
        : resolve(source, args, context);
      const completed =
        value instanceof Promise
          ? value.then((later) => complete(later, context, info))
          : complete(value, context, info);
      return completed instanceof Promise ? watched(completed, context, info) : completed;
    } catch (error) {
      return fail(error, context, info);
    }
  };
}

function watched(value: Promise<unknown>, context: RequestContext, info: GraphQLResolveInfo): Promise<unknown> {
  const { fields } = context;
  fields.open++;
  return value.then(
    (later) => {
      fields.open--;
      return later;
    },
    (error: unknown) => {
      fields.open--;
      return fail(error, context, info);
    },
  );
}

/** In place of a value once the answer is thrown away: what is left of it costs as little as can be. */
function nothingOf({ returnType }: GraphQLResolveInfo): unknown {
  return isListType(getNullableType(returnType)) ? [] : null;
}

/** The same object for a field of the document each time: its arguments are constants and variables. */
function argumentsOf(given: unknown, context: RequestContext, { fieldNodes }: GraphQLResolveInfo): unknown {
  const node = fieldNodes[0];
  const known = context.arguments.get(node);
  if (known !== undefined) return known;
  context.arguments.set(node, given);
  return given;
}

/** A promise also where the resolver threw at once: graphql-js would not execute the fields beside and after that one. */
async function fail(error: unknown, { guard, fields }: RequestContext, info: GraphQLResolveInfo): Promise<never> {
  guard.countError();
  const path = (error instanceof GraphQLError ? error.path : undefined) ?? toPath(info.path);
  fields.failures.push({ error, nodes: info.fieldNodes, path });
  throw error;
}

function complete(value: unknown, context: RequestContext, info: GraphQLResolveInfo): unknown {
  if (Array.isArray(value)) context.guard.countAnswer(value.length * leastBytes(info));
  return isLongList(value, info) ? completeInPortions(value, context, info) : value;
}

/** `"k":0,` */
const FIELD_BYTES = 6;

/** Returns the least size of a written list item: a name and a value for each of its fields. */
function leastBytes(info: GraphQLResolveInfo): number {
  return info.fieldNodes[0].selectionSet === undefined ? 1 : widthOfItems(info) * FIELD_BYTES;
}
