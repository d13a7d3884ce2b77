import { CodedError, isCodedError } from '@cairn/errors';
import { challengeOf } from '../auth/errors.ts';
import type { Authenticator, User } from '../auth/user.ts';
import type { Configuration } from '../config/configuration.ts';
import { readText } from '../http/body.ts';
import { corsHeaders, preflightHeaders } from '../http/cors.ts';
import { checkFraming } from '../http/framing.ts';
import { refuseContentCoding, requireMediaType } from '../http/media-type.ts';
import type { HttpAnswer, HttpHandler, HttpRequest } from '../http/message.ts';
import { isStream, primeBody } from '../http/primed-body.ts';
import { problemAnswer, toProblem } from '../http/problem.ts';
import { type ParameterSource, readParameters } from '../parameters/read.ts';
import { addPathValues, parseForm, parseLongForm } from '../parameters/sent.ts';
import { requireAccess } from './access.ts';
import { Context } from './context.ts';
import { checkHost } from './host.ts';
import type { RequestObserver } from './observer.ts';
import { Opening } from './opening.ts';
import { PROBES, pathOf, type Route } from './route.ts';
import { type PathMatch, Router } from './router.ts';
import type { Services } from './services.ts';
import { Shares } from './shares.ts';

export interface DispatcherOptions {
  readonly routes: readonly Route[];
  readonly services: Services;
  readonly configuration: Configuration;
  readonly authenticator: Authenticator;
  readonly nextRequestId: (sent: string | undefined) => string;
  readonly observer: RequestObserver;
  readonly nowMs: () => number;
}

const FORM = ['application/x-www-form-urlencoded'];
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
const SECURITY_NAMES: ReadonlySet<string> = new Set(Object.keys(SECURITY_HEADERS));
const SECURITY_PAIRS: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/**
 * The handler of a listener: finds the route, lets in who may come in, reads the parameters, calls, and turns every
 * error into a problem. The order is fixed: host, framing, path, method, readiness, user, permission, parameters.
 */
export function createDispatcher(options: DispatcherOptions): HttpHandler {
  const router = toRouter(options);
  const { cors, limits } = options.configuration.server;
  const isCors = cors.origins.length > 0;
  const shares = new Shares(limits.maxConcurrentRequestsPerUser ?? Math.ceil(limits.maxConcurrentRequests * 0.75));
  const entrance: Entrance = { shares, opening: new Opening(options.nowMs) };
  let running = 0;
  return async (request) => {
    const startedMs = options.nowMs();
    const requestId = options.nextRequestId(request.header('request-id'));
    const trace: Trace = { operation: '', userName: undefined, error: undefined, sharer: undefined };
    running += 1;
    let answer: HttpAnswer;
    try {
      if (running > limits.maxConcurrentRequests && !PROBES.has(request.path)) throw tooBusy();
      answer = await dispatch(request, requestId, router, options, entrance, trace);
      if (isStream(answer.body)) answer = await primeBody(answer);
    } catch (error) {
      trace.error = error;
      answer = toErrorAnswer(error, request);
    } finally {
      running -= 1;
      if (trace.sharer !== undefined) shares.leave(trace.sharer);
    }
    const { method } = request;
    const { operation, userName, error } = trace;
    const durationMs = options.nowMs() - startedMs;
    options.observer.observe({ requestId, method, status: answer.status, durationMs, operation, userName, error });
    return withCommonHeaders(answer, requestId, isCors ? corsHeaders(cors, request) : undefined);
  };
}

/** A route and how messages name it. */
interface ServedRoute extends Route {
  readonly source: ParameterSource;
}

/** Checks that every user's request passes before it begins. */
interface Entrance {
  readonly shares: Shares;
  readonly opening: Opening;
}

interface Trace {
  operation: string;
  userName: string | undefined;
  error: unknown;
  /** Whose share the request counts in. */
  sharer: string | undefined;
}

function toRouter({ routes, configuration }: DispatcherOptions): Router<ServedRoute> {
  const router = new Router<ServedRoute>();
  for (const route of routes) {
    const path = pathOf(route, configuration);
    router.add(route.method, path, { ...route, source: sourceOf(route, path) });
  }
  return router;
}

async function dispatch(
  request: HttpRequest,
  requestId: string,
  router: Router<ServedRoute>,
  options: DispatcherOptions,
  { shares, opening }: Entrance,
  trace: Trace,
): Promise<HttpAnswer> {
  const { services, configuration } = options;
  checkHost(request, configuration);
  checkFraming(request);
  if (request.method === 'OPTIONS' && request.path === '*') return serverOptions(router);
  const match = findPath(router, request);
  if (request.method === 'OPTIONS') return optionsAnswer(request, match, configuration);
  const route = findRoute(match, request);
  trace.operation = route.operation;
  if (services.state() !== 'ready' && route.whileStarting !== true) throw notReady(services.state());
  const user = route.access === 'public' ? undefined : await admit(request, route, match, options);
  trace.userName = user?.name;
  if (user !== undefined) {
    shares.enter(user.name);
    trace.sharer = user.name;
    const wait = opening.wait(user.name);
    if (wait !== undefined) await wait;
  }
  if (route.intake !== 'query') refuseContentCoding(request);
  const { source } = route;
  const sent = await readSent(request, route, configuration);
  const parameters = readParameters(route.parameters, addPathValues(sent, match.variables, source), source);
  return route.handle(new Context(request, requestId, user, source, options), parameters);
}

function findPath(router: Router<ServedRoute>, request: HttpRequest): PathMatch<ServedRoute> {
  let match: PathMatch<ServedRoute> | undefined;
  try {
    match = router.find(request.path);
  } catch (cause) {
    const message = 'the path is not well percent-encoded';
    throw new CodedError({ code: 'ERR_PATH_ENCODING', kind: 'invalid', message, cause });
  }
  if (match !== undefined) return match;
  throw new CodedError({ code: 'ERR_NO_ENDPOINT', kind: 'not-found', message: 'there is no endpoint at this path' });
}

function findRoute(match: PathMatch<ServedRoute>, request: HttpRequest): ServedRoute {
  const route = match.methods.get(request.method) ?? (request.method === 'HEAD' ? match.methods.get('GET') : undefined);
  if (route !== undefined) return route;
  const message = `the method must be ${methodsOf(match).join(' or ')}; got ${request.method.slice(0, 20)}`;
  throw new CodedError({
    code: 'ERR_METHOD_NOT_ALLOWED',
    kind: 'unsupported',
    message,
    cause: { allow: methodsOf(match) },
  });
}

function methodsOf(match: PathMatch<ServedRoute>): string[] {
  const methods = [...match.methods.keys()];
  return [...methods, ...(match.methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function optionsAnswer(request: HttpRequest, match: PathMatch<ServedRoute>, { server }: Configuration): HttpAnswer {
  const methods = methodsOf(match);
  return { status: 204, headers: { Allow: methods.join(', '), ...preflightHeaders(server.cors, request, methods) } };
}

/** The methods that some endpoint takes (RFC 9110, 9.3.7). */
function serverOptions(router: Router<ServedRoute>): HttpAnswer {
  const methods = [...new Set([...router.methods(), 'HEAD', 'OPTIONS'])];
  return { status: 204, headers: { Allow: methods.join(', ') } };
}

async function admit(
  request: HttpRequest,
  route: Route,
  match: PathMatch<ServedRoute>,
  { authenticator }: DispatcherOptions,
): Promise<User> {
  if (request.headerCount('authorization') > 1) {
    throw new CodedError({ code: 'ERR_TOKEN_UNUSABLE', kind: 'invalid', message: 'Authorization must be sent once' });
  }
  const user = await authenticator.authenticate((name) => request.header(name));
  requireAccess(user, route.access, match.variables.get('dataset') ?? '');
  return user;
}

async function readSent(
  request: HttpRequest,
  route: Route,
  { server }: Configuration,
): Promise<Map<string, readonly string[]>> {
  if (takesNothing(route)) return new Map();
  if (route.intake !== 'form') return parseForm(request.queryString);
  requireMediaType(request, FORM);
  if (request.queryString !== '') {
    const message = 'the parameters of a POST belong in its body; got a query string';
    throw new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
  }
  const { maxBodyBytes, bodyTimeoutMs } = server.limits;
  return parseLongForm(await readText(request, { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs }));
}

/** True for an endpoint that has no parameters and ignores whatever comes, as probes do. */
function takesNothing({ intake, ignoreUnknown, parameters }: Route): boolean {
  return intake === 'query' && ignoreUnknown === true && Object.keys(parameters).length === 0;
}

function sourceOf({ method, intake, ignoreUnknown }: Route, path: string): ParameterSource {
  return {
    endpoint: `${method} ${path}`,
    kind: intake === 'form' ? 'form' : 'query',
    ignoreUnknown: ignoreUnknown ?? false,
  };
}

function toErrorAnswer(error: unknown, request: HttpRequest): HttpAnswer {
  const headers: Record<string, string> = {};
  if (isCodedError(error)) {
    const challenge = challengeOf(error);
    if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
    if (error.code === 'ERR_METHOD_NOT_ALLOWED')
      headers['Allow'] = (error.cause as { allow: string[] }).allow.join(', ');
  }
  return problemAnswer(toProblem(error, request.path.slice(0, 500)), request.header('accept'), headers);
}

/** Every request pays for this: the common headers are one list, and no object is made where the answer has its own. */
function withCommonHeaders(
  { status, headers: own = {}, body }: HttpAnswer,
  requestId: string,
  cors: Readonly<Record<string, string>> | undefined,
): HttpAnswer {
  if (cors === undefined && !Object.keys(own).some((name) => SECURITY_NAMES.has(name))) {
    return { status, headers: own, commonHeaders: [...SECURITY_PAIRS, 'Request-ID', requestId], body };
  }
  const vary = [cors?.['Vary'], own['Vary']].filter((value) => value !== undefined).join(', ');
  const headers = { ...SECURITY_HEADERS, ...cors, ...own, ...(vary !== '' && { Vary: vary }) };
  return { status, headers, commonHeaders: ['Request-ID', requestId], body };
}

function tooBusy(): CodedError {
  return new CodedError({ code: 'ERR_BUSY', kind: 'overloaded', message: 'too many requests are being served' });
}

function notReady(state: string): CodedError {
  return new CodedError({ code: 'ERR_NOT_READY', kind: 'unavailable', message: `the service is ${state}` });
}
