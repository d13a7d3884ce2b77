import type { ServerSettings } from '../config/configuration.ts';
import type { HttpRequest } from './message.ts';

/** Exact origins, or `*` for any; empty: none. */
type CorsPolicy = ServerSettings['cors'];

const EXPOSED = 'Request-ID, Cairn-Position, Cairn-Warning, Location, WWW-Authenticate, Retry-After';

/** The CORS headers of an answer to this request; none when its Origin is not allowed. Credentials are never allowed. */
export function corsHeaders(policy: CorsPolicy, request: HttpRequest): Readonly<Record<string, string>> {
  const origin = request.header('origin');
  if (policy.origins.length === 0 || origin === undefined) return {};
  const isAny = policy.origins.includes('*');
  if (!isAny && !policy.origins.includes(origin)) return { Vary: 'Origin' };
  const allowed: Record<string, string> = { 'Access-Control-Allow-Origin': isAny ? '*' : origin };
  if (!isAny) allowed['Vary'] = 'Origin';
  return { ...allowed, 'Access-Control-Expose-Headers': EXPOSED };
}

/** Returns the headers of a preflight beside those of every answer: the methods of the path and the headers that were asked for. */
export function preflightHeaders(
  policy: CorsPolicy,
  request: HttpRequest,
  methods: readonly string[],
): Readonly<Record<string, string>> {
  if (corsHeaders(policy, request)['Access-Control-Allow-Origin'] === undefined) return {};
  const asked = request.header('access-control-request-headers');
  return {
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked.replace(/[^\w, -]/g, '') }),
    'Access-Control-Max-Age': String(policy.maxAgeSeconds),
  };
}
