import { CodedError, type ErrorCode, type ErrorKind, isCodedError } from '@cairn/errors';
import Negotiator from 'negotiator';
import type { HttpAnswer } from './message.ts';

/** An RFC 9457 problem: its stable type, the status, and what was wrong. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string | undefined;
  readonly instance?: string | undefined;
  /** The code of the error behind it. */
  readonly code?: string | undefined;
  readonly position?: { readonly offset: number; readonly line: number; readonly column: number } | undefined;
  readonly expected?: readonly string[] | undefined;
}

interface Row {
  readonly status: number;
  readonly type: string;
  readonly title: string;
}

/** From the kind of an error to its status and problem type: the only place that knows HTTP numbers for errors. */
export const PROBLEM_BY_KIND: Readonly<Record<ErrorKind, Row>> = {
  invalid: { status: 400, type: 'BadRequest', title: 'Bad Request' },
  unsupported: { status: 400, type: 'BadRequest', title: 'Not Supported' },
  'too-large': { status: 413, type: 'ContentTooLarge', title: 'Content Too Large' },
  unauthenticated: { status: 401, type: 'AuthenticationRequired', title: 'Authentication Required' },
  denied: { status: 403, type: 'PermissionDenied', title: 'Permission Denied' },
  'not-found': { status: 404, type: 'NotFound', title: 'Not Found' },
  conflict: { status: 409, type: 'Conflict', title: 'Conflict' },
  unavailable: { status: 503, type: 'Service Unavailable', title: 'Service Unavailable' },
  overloaded: { status: 503, type: 'Service Unavailable', title: 'Too Busy' },
  exhausted: { status: 400, type: 'BudgetExhausted', title: 'Budget Exhausted' },
  timeout: { status: 503, type: 'TimeLimit', title: 'Time Limit Exceeded' },
  cancelled: { status: 503, type: 'Service Unavailable', title: 'Cancelled' },
  corrupt: { status: 500, type: 'InternalServerError', title: 'Stored Data Damaged' },
  internal: { status: 500, type: 'InternalServerError', title: 'Internal Server Error' },
};

/** Codes that say more to HTTP than their kind does. */
export const PROBLEM_BY_CODE: Readonly<Partial<Record<ErrorCode, Row>>> = {
  ERR_METHOD_NOT_ALLOWED: { status: 405, type: 'MethodNotAllowed', title: 'Method Not Allowed' },
  ERR_NOT_ACCEPTABLE: { status: 406, type: 'NotAcceptable', title: 'Not Acceptable' },
  ERR_MEDIA_TYPE: { status: 415, type: 'UnsupportedMediaType', title: 'Unsupported Media Type' },
  ERR_EXPECTATION: { status: 417, type: 'ExpectationFailed', title: 'Expectation Failed' },
  ERR_TRANSFER_CODING: { status: 501, type: 'NotImplemented', title: 'Not Implemented' },
  ERR_BODY_TIMEOUT: { status: 408, type: 'RequestTimeout', title: 'Request Timeout' },
  ERR_USER_BUSY: { status: 429, type: 'TooManyRequests', title: 'Too Many Requests' },
  ERR_UPLOAD_SHARE: { status: 429, type: 'TooManyRequests', title: 'Too Many Requests' },
  ERR_PARAMETER: { status: 400, type: 'BadRequestParameter', title: 'Bad Request Parameter' },
  ERR_PARAMETERS: { status: 400, type: 'InvalidRequestParameters', title: 'Invalid Request Parameters' },
  ERR_TOKEN_UNUSABLE: { status: 400, type: 'BadRequest', title: 'Unusable Credentials' },
  ERR_SERVICE_REFUSED: { status: 400, type: 'BadRequest', title: 'Not Allowed' },
  ERR_LOAD_REFUSED: { status: 400, type: 'BadRequest', title: 'Not Allowed' },
  ERR_RDF_XML: { status: 406, type: 'NotAcceptable', title: 'Not Acceptable' },
  ERR_JSON_LD_TRIPLE_TERM: { status: 406, type: 'NotAcceptable', title: 'Not Acceptable' },
  ERR_RDF_NO_GRAPHS: { status: 406, type: 'NotAcceptable', title: 'Not Acceptable' },
  ERR_DEAD_LETTER: { status: 500, type: 'InternalServerError', title: 'Projection Failed' },
};

/** Characters of an Accept header that is read; a longer one takes nothing. */
export const MAX_ACCEPT_LENGTH = 2_000;

const RETRY_AFTER_SECONDS = '1';

/** Codes of errors after a write: it is durable, and would come twice if it were sent again. */
const WRITTEN: ReadonlySet<string> = new Set([
  'ERR_PROJECTION_TIMEOUT',
  'ERR_PROJECTOR_STALLED',
  'ERR_PROJECTOR_STOPPED',
  'ERR_PROJECTOR_FAILED',
]);

/** The problem of an error. An error that is not a {@link CodedError} is a defect, and its text stays in the log. */
export function toProblem(error: unknown, instance?: string): Problem {
  const coded = isCodedError(error) ? error : defect(error);
  const row = PROBLEM_BY_CODE[coded.code] ?? PROBLEM_BY_KIND[coded.kind] ?? PROBLEM_BY_KIND.internal;
  return {
    type: row.type,
    title: row.title,
    status: row.status,
    detail: coded.message,
    instance,
    code: coded.code,
    position: coded.position,
    expected: coded.expected,
  };
}

function defect(cause: unknown): CodedError {
  const message = 'the server failed to process the request; the log has the reason under the Request-ID';
  return new CodedError({ code: 'ERR_INTERNAL', kind: 'internal', message, cause });
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json', 'text/plain'];

/** The answer that carries a problem, in the form that Accept prefers; problem JSON by default. */
export function problemAnswer(
  problem: Problem,
  accept: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const type = preferredType(accept);
  const isForRetry = (problem.status === 503 || problem.status === 429) && !WRITTEN.has(problem.code ?? '');
  const retry: Record<string, string> = isForRetry ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
  return {
    status: problem.status,
    headers: { 'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type, ...retry, ...headers },
    body: type === 'text/plain' ? toText(problem) : JSON.stringify(problem),
  };
}

function preferredType(accept: string | undefined): string {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_ACCEPT_LENGTH) return PROBLEM_TYPES[0] as string;
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes(PROBLEM_TYPES);
  return preferred ?? (PROBLEM_TYPES[0] as string);
}

function toText(problem: Problem): string {
  return `${problem.status} ${problem.title}${problem.detail === undefined ? '' : `: ${problem.detail}`}\n`;
}
