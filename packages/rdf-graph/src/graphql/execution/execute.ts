import { checkObject, checkPort, checkText, isCodedError } from '@cairn/errors';
import type { Turns } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import { type DocumentNode, type ExecutionResult, GraphQLError, getOperationAST } from 'graphql';
import { uncheckedReader } from '../../graph/port/checked-reader.ts';
import type { ReadableDataset } from '../../graph/port/graph-dataset.ts';
import { reckonCost } from '../limits/cost.ts';
import { type GraphQLLimits, limitError, type ResolvedLimits, resolveGraphQLLimits } from '../limits/limits.ts';
import { fragmentsOf, showCount } from '../limits/measure.ts';
import type { EntityFinder } from '../port/entity-finder.ts';
import { toGraphQLErrors } from './errors.ts';
import type { GraphSchema } from './graph-schema.ts';
import { ExecutionGuard } from './guard.ts';
import { executeInPortions } from './long-lists.ts';
import { parseDocument } from './parse-document.ts';
import type { RequestContext } from './request-context.ts';

/** A GraphQL request. */
export interface GraphQLRequest {
  /** The document. */
  readonly query: string;
  /** Name of the operation to execute; needed when there are several. */
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** Taken and not used. */
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Options of {@link validateGraphQL}. */
export interface ValidateGraphQLOptions {
  readonly limits?: GraphQLLimits | undefined;
  /** True when `__schema` and `__type` may be asked. Default true. */
  readonly introspection?: boolean | undefined;
}

/** Options of {@link executeGraphQL}. Its clock, such as `() => performance.now()`, is for the time limit and turns. */
export interface ExecuteGraphQLOptions extends ValidateGraphQLOptions, Turns {
  /** Search behind `search` and `searchWithMetadata`. Default none: they answer that there is none. */
  readonly search?: EntityFinder | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Answers a GraphQL request from what the viewer may see.
 *
 * Errors of the request come without data, those of a field with what could be answered. A time limit, a budget or an
 * abort ends the whole request. Errors carry `extensions.code`.
 * @throws `ERR_ARGUMENT` (invalid) for an argument of another type, such as a missing viewer; nothing else
 */
export async function executeGraphQL(
  schema: GraphSchema,
  dataset: ReadableDataset,
  viewer: Viewer,
  given: GraphQLRequest,
  options: ExecuteGraphQLOptions = {},
): Promise<ExecutionResult> {
  checkPort(dataset, 'reader', 'the dataset');
  checkViewer(viewer);
  const request = takeRequest(given);
  checkAsked(schema, request, options);
  const limits = resolveGraphQLLimits(options.limits);
  const parsed = parseDocument(schema, request.query, limits, options.introspection ?? true);
  if (parsed.errors !== undefined) return parsed;
  const { document } = parsed;
  const errors = checkOperation(schema, document, request, limits);
  if (errors.length > 0) return { errors };
  try {
    const context = await createContext(dataset, viewer, request, limits, options);
    return await run(schema, document, request, context);
  } catch (error) {
    const originalError = isCodedError(error) || error instanceof Error ? error : new TypeError('unknown failure');
    return { errors: toGraphQLErrors([new GraphQLError('the request failed', { originalError })]) };
  }
}

/** A copy of a request, variables and lists in them included: it is read on when others have had their turn. */
function takeRequest(request: GraphQLRequest): GraphQLRequest {
  checkObject(request, 'the request');
  const { query, operationName, variables } = request;
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    return { query, operationName, variables };
  return { query, operationName, variables: copyOf(variables, MAX_COPIED_DEPTH) as Record<string, unknown> };
}

/** Deeper values of variables are not copied: no query of ours reaches them. */
const MAX_COPIED_DEPTH = 32;

/** A value of variables with the lists and plain objects in it copied. */
function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => copyOf(item, depth - 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item, depth - 1)]));
}

function checkAsked(schema: GraphSchema, request: GraphQLRequest, options: ValidateGraphQLOptions): void {
  checkObject(schema, 'the schema');
  checkPort(schema.schema, 'getRootType', 'the schema of the schema');
  checkObject(request, 'the request');
  checkText(request.query, 'the query');
  const { operationName, variables } = request;
  if (operationName !== null && operationName !== undefined) checkText(operationName, 'operationName');
  if (variables !== null && variables !== undefined) checkObject(variables, 'the variables');
  checkObject(options, 'the options');
}

/**
 * Returns the faults of a request found before anything is read: syntax, limits, validation. Empty when there are none.
 * @throws `ERR_ARGUMENT` (invalid) for an argument of another type
 */
export function validateGraphQL(
  schema: GraphSchema,
  request: GraphQLRequest,
  options: ValidateGraphQLOptions = {},
): readonly GraphQLError[] {
  checkAsked(schema, request, options);
  const limits = resolveGraphQLLimits(options.limits);
  const parsed = parseDocument(schema, request.query, limits, options.introspection ?? true);
  return parsed.errors ?? [];
}

function checkOperation(
  schema: GraphSchema,
  document: DocumentNode,
  request: GraphQLRequest,
  limits: ResolvedLimits,
): readonly GraphQLError[] {
  const operation = getOperationAST(document, request.operationName);
  if (!operation) {
    const name = request.operationName && JSON.stringify(request.operationName.slice(0, 100));
    return [new GraphQLError(name ? `the document has no operation ${name}` : 'operationName must name one operation')];
  }
  if (!schema.schema.getRootType(operation.operation)) {
    const message = `the schema has queries only; got a ${operation.operation}`;
    return [new GraphQLError(message, { nodes: operation })];
  }
  const fragments = fragmentsOf(document);
  const cost = reckonCost({ schema, operation, fragments, variables: request.variables ?? {} });
  if (cost <= limits.maxCost) return [];
  const message = `an answer may hold ${limits.maxCost} objects by its page sizes; ${showCount(cost)} are asked for`;
  return [limitError(message, operation)];
}

async function createContext(
  dataset: ReadableDataset,
  viewer: Viewer,
  { variables }: GraphQLRequest,
  limits: ResolvedLimits,
  { search, signal, nowMs, nextTurn }: ExecuteGraphQLOptions,
): Promise<RequestContext> {
  const guard = new ExecutionGuard(limits, { signal, nowMs, nextTurn });
  guard.check();
  const prefixes = await dataset.prefixes(viewer);
  const reader = uncheckedReader(await dataset.reader(viewer, { signal, nextTurn: async () => guard.step() }));
  return {
    viewer,
    reader,
    guard,
    prefixes,
    search,
    signal,
    nextTurn,
    variables: variables ?? {},
    entities: new Map(),
    memo: new Map(),
    arguments: new Map(),
    compiled: new Map(),
    longLists: [],
    fields: { open: 0, failures: [] },
  };
}

async function run(
  schema: GraphSchema,
  document: DocumentNode,
  { operationName }: GraphQLRequest,
  context: RequestContext,
): Promise<ExecutionResult> {
  const result = await executeInPortions({ schema: schema.schema, document, operationName }, context);
  if (context.guard.failure !== undefined) throw context.guard.failure;
  return result.errors === undefined ? result : { ...result, errors: toGraphQLErrors(result.errors) };
}
