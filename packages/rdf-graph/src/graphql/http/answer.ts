import { badArgument, checkObject, checkPort, checkText, type ErrorKind, isCodedError } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import type { ExecutionResult } from 'graphql';
import type { ReadableDataset } from '../../graph/port/graph-dataset.ts';
import { toMediaType } from '../../rdf/media-types.ts';
import { negotiate } from '../../rdf/negotiate.ts';
import {
  type ExecuteGraphQLOptions,
  executeGraphQL,
  type GraphQLRequest,
  validateGraphQL,
} from '../execution/execute.ts';
import type { GraphSchema } from '../execution/graph-schema.ts';
import { isKnownDocument } from '../execution/parse-document.ts';
import { resolveGraphQLLimits } from '../limits/limits.ts';
import { PersistedQueryError, requestFromBody, requestFromQuery } from './parameters.ts';
import { writeJson } from './write-json.ts';

/** An HTTP request as GraphQL needs it. */
export interface GraphQLHttpRequest {
  readonly method: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The query string, without `?`. */
  readonly query?: string | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** Answer to a GraphQL request. */
export interface GraphQLHttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Dataset and viewer of a request, and the options of `executeGraphQL`. */
export interface GraphQLHttpOptions extends ExecuteGraphQLOptions {
  readonly schema: GraphSchema;
  readonly dataset: ReadableDataset;
  readonly viewer: Viewer;
  /** `validate` checks the document and runs nothing. Default `execute`. */
  readonly mode?: 'execute' | 'validate' | undefined;
}

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

const TEXT_TYPE = 'text/plain';

/** The types of an answer; the first is sent where a client takes any. Those of `validate` are the types of its errors. */
const TYPES: Readonly<Record<'execute' | 'validate', readonly string[]>> = {
  execute: [JSON_TYPE, RESPONSE_TYPE],
  validate: [RESPONSE_TYPE, JSON_TYPE, TEXT_TYPE],
};

/** Statuses of requests without an answer; 400 for every other kind. */
const STATUS: Readonly<Partial<Record<ErrorKind, number>>> = {
  'too-large': 413,
  timeout: 503,
  unavailable: 503,
  overloaded: 503,
  internal: 500,
};

/**
 * Answers GraphQL over HTTP: GET with a query string, POST with JSON.
 *
 * A request that is none is 400 (405, 406, 413, 415). A well-formed one is 200 with data, even partial, else 400 or 5xx;
 * for a client that accepts `application/json` alone it is 200 whatever it gives. Only an abort throws.
 * @throws `ERR_ARGUMENT` (invalid) for an argument of another type, such as a missing viewer
 */
export async function answerGraphQLHttp(
  request: GraphQLHttpRequest,
  options: GraphQLHttpOptions,
): Promise<GraphQLHttpResponse> {
  checkArguments(request, options);
  const types = TYPES[options.mode ?? 'execute'];
  const type = negotiate(header(request, 'accept'), types);
  if (type === undefined) return refuse(406, RESPONSE_TYPE, `the answer is ${types.join(' or ')}`);
  const isLegacy = takesJsonAlone(header(request, 'accept'));
  const refusal = checkRequest(request, options, type);
  if (refusal !== undefined) return refusal;
  const text = textOf(request.body);
  if (text === undefined) return refuse(415, type, 'the body is not UTF-8');
  let parsed: GraphQLRequest;
  try {
    parsed = request.method === 'GET' ? requestFromQuery(request.query ?? '') : requestFromBody(text);
  } catch (error) {
    return refuseBad(error, type, isLegacy);
  }
  // A document is parsed and validated in one stretch: new ones that arrive together have a turn of the event loop each.
  if (!isKnownDocument(options.schema, parsed.query)) await (options.nextTurn ?? nextTurn)();
  return options.mode === 'validate'
    ? answerValidation(parsed, options, type, header(request, 'accept'))
    : answerExecution(parsed, options, type, isLegacy);
}

/** The answer to a request of HTTP in which there is none for GraphQL. */
function refuseBad(error: unknown, type: string, isLegacy: boolean): GraphQLHttpResponse {
  if (error instanceof PersistedQueryError) {
    // In the words that clients of persisted queries wait for: they then send the query itself.
    const code = { code: 'PERSISTED_QUERY_NOT_SUPPORTED' };
    return refuse(isLegacy ? 200 : 400, type, 'PersistedQueryNotSupported', code);
  }
  if (!isCodedError(error)) throw error;
  return refuse(400, type, error.message, error);
}

function checkArguments(request: GraphQLHttpRequest, options: GraphQLHttpOptions): void {
  checkObject(request, 'the request');
  const { method, headers, query, body } = request;
  checkText(method, 'the method');
  checkObject(headers, 'the headers');
  if (query !== undefined) checkText(query, 'the query string');
  const isBody = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  if (!isBody) throw badArgument('the body', 'text or bytes', body);
  checkObject(options, 'the options');
  checkObject(options.schema, 'the schema');
  checkPort(options.schema.schema, 'getRootType', 'the schema of the schema');
  checkPort(options.dataset, 'prefixes', 'the dataset');
  checkViewer(options.viewer);
}

function checkRequest(
  request: GraphQLHttpRequest,
  { limits }: GraphQLHttpOptions,
  type: string,
): GraphQLHttpResponse | undefined {
  const { method, body, query = '' } = request;
  if (method !== 'GET' && method !== 'POST') {
    const refused = refuse(405, type, `GraphQL takes GET and POST; got ${method.slice(0, 20)}`);
    return { ...refused, headers: { ...refused.headers, allow: 'GET, POST' } };
  }
  if (method === 'POST' && !isJsonType(header(request, 'content-type'))) {
    return refuse(415, type, 'the body must be application/json in UTF-8');
  }
  const { maxBytes } = resolveGraphQLLimits(limits);
  const size = method === 'GET' ? query.length : (body?.length ?? 0);
  return size > maxBytes ? refuse(413, type, `a request may have ${maxBytes} bytes; got ${size}`) : undefined;
}

function isJsonType(contentType: string | undefined): boolean {
  if (contentType === undefined || toMediaType(contentType) !== JSON_TYPE) return false;
  const charset = /;\s*charset="?([^";\s]*)"?/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

async function answerExecution(
  request: GraphQLRequest,
  { schema, dataset, viewer, ...options }: GraphQLHttpOptions,
  type: string,
  isLegacy: boolean,
): Promise<GraphQLHttpResponse> {
  const { maxAnswerBytes } = resolveGraphQLLimits(options.limits);
  const result = await executeGraphQL(schema, dataset, viewer, request, options);
  const status = isLegacy ? 200 : statusOf(result);
  try {
    return respond(status, type, await writeJson(result, maxAnswerBytes));
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return refuse(isLegacy ? 200 : 400, type, error.message, error);
  }
}

/** Returns true if a client takes `application/json` and nothing else: it looks for errors in the body alone. */
function takesJsonAlone(accept: string | undefined): boolean {
  const ranges = accept?.split(',').filter((range) => range.trim() !== '') ?? [];
  return ranges.length > 0 && ranges.every((range) => toMediaType(range) === JSON_TYPE);
}

function statusOf({ data, errors }: ExecutionResult): number {
  if (data !== undefined && data !== null) return 200;
  const kind = errors?.[0]?.extensions?.['kind'] as ErrorKind | undefined;
  return (kind && STATUS[kind]) ?? 400;
}

/** The answer of `validate`: a text where all is well, which a client must take, and errors in the type that it likes best. */
function answerValidation(
  request: GraphQLRequest,
  options: GraphQLHttpOptions,
  type: string,
  accept: string | undefined,
): GraphQLHttpResponse {
  const errors = validateGraphQL(options.schema, request, options);
  if (errors.length > 0) return respondErrors(400, type, errors);
  const isText = negotiate(accept, [TEXT_TYPE]) !== undefined;
  // A response of GraphQL that says nothing is wrong, for clients that take no text.
  return isText ? respond(200, TEXT_TYPE, 'Query is valid') : respond(200, type, '{"data":{}}');
}

function refuse(
  status: number,
  type: string,
  message: string,
  error?: { readonly code: string; readonly kind?: ErrorKind },
): GraphQLHttpResponse {
  const extensions = error && { code: error.code, kind: error.kind };
  return respondErrors(status, type, [{ message, extensions }]);
}

function respondErrors(
  status: number,
  type: string,
  errors: readonly { readonly message: string; readonly extensions?: object | undefined }[],
): GraphQLHttpResponse {
  const messages = (): string => `${status} ${errors.map(({ message }) => message).join('\n')}\n`;
  const text = type === TEXT_TYPE ? messages() : JSON.stringify({ errors });
  return respond(status, type, text);
}

function respond(status: number, type: string, body: string): GraphQLHttpResponse {
  return { status, headers: { 'content-type': `${type}; charset=utf-8` }, body };
}

function header({ headers }: GraphQLHttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** The text of a body; `undefined` where its bytes are no UTF-8. */
function textOf(body: string | Uint8Array | undefined): string | undefined {
  if (typeof body === 'string') return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
