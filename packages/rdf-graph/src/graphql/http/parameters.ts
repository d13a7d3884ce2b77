import { CodedError } from '@cairn/errors';
import type { GraphQLRequest } from '../execution/execute.ts';

type Field = 'query' | 'operationName' | 'variables' | 'extensions';

const FIELDS: ReadonlySet<string> = new Set<Field>(['query', 'operationName', 'variables', 'extensions']);

/** The request in a query string. @throws `ERR_GRAPHQL_REQUEST` (invalid) */
export function requestFromQuery(query: string): GraphQLRequest {
  const given = new URLSearchParams(query);
  const text = given.get('query');
  if (!text?.trim() && isPersisted(parseParameter(given, 'extensions'))) throw new PersistedQueryError();
  if (text === null || text.trim() === '') throw invalidRequest('the parameter query must be given and not blank');
  const operationName = given.get('operationName');
  return toRequest({
    query: text,
    operationName: operationName === '' ? null : operationName,
    variables: parseParameter(given, 'variables'),
    extensions: parseParameter(given, 'extensions'),
  });
}

/** The request in a JSON body. @throws `ERR_GRAPHQL_REQUEST` (invalid) */
export function requestFromBody(body: string): GraphQLRequest {
  if (body.trim() === '') throw invalidRequest('the body must be a JSON object; it is empty');
  const value = parseJson(body, 'the body');
  if (!isObject(value)) throw invalidRequest('the body must be one JSON object with a query');
  const unknown = Object.keys(value).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) {
    const known = [...FIELDS].join(', ');
    throw invalidRequest(`the body may have ${known}; got ${JSON.stringify(unknown.slice(0, 100))}`);
  }
  return toRequest(value);
}

function parseParameter(given: URLSearchParams, name: Field): unknown {
  const text = given.get(name);
  return text === null || text.trim() === '' ? null : parseJson(text, `the parameter ${name}`);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidRequest(`${what} must be JSON`, cause);
  }
}

function toRequest(value: Readonly<Record<string, unknown>>): GraphQLRequest {
  const { query, operationName, variables, extensions } = value;
  if (isAbsent(query) && isPersisted(extensions)) throw new PersistedQueryError();
  if (typeof query !== 'string') throw invalidRequest('query must be a text');
  if (!isAbsent(operationName) && typeof operationName !== 'string')
    throw invalidRequest('operationName must be a text');
  if (!isAbsent(variables) && !isObject(variables)) throw invalidRequest('variables must be a JSON object');
  if (!isAbsent(extensions) && !isObject(extensions)) throw invalidRequest('extensions must be a JSON object');
  return { query, operationName, variables, extensions };
}

/** A request that names a query by its hash and does not hold it. */
export class PersistedQueryError extends Error {
  override readonly name = 'PersistedQueryError';
}

function isPersisted(extensions: unknown): boolean {
  return isObject(extensions) && isObject(extensions['persistedQuery']);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidRequest(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_GRAPHQL_REQUEST', kind: 'invalid', message, cause });
}
