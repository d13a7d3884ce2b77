import { isCodedError } from '@cairn/errors';
import { attributesFromJson, parseLabel } from '@cairn/security';
import type { Configuration } from './configuration.ts';
import { configurationError } from './faults.ts';

/** Segments that follow the dataset in other endpoints' paths. */
const RESERVED_SEGMENTS = new Set(['traversal']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Checks what no single key can show. @throws `ERR_CONFIGURATION` (invalid), one line per fault. */
export function checkTogether(configuration: Configuration, source: string): void {
  const faults = CHECKS.flatMap((check) => check(configuration));
  if (faults.length > 0) throw configurationError(source, faults);
}

/** Returns true if a host is an address of this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

const CHECKS: readonly ((configuration: Configuration) => string[])[] = [
  ({ auth, server }) =>
    auth.mode === 'disabled' && !isLoopback(server.host)
      ? [`server.host is ${JSON.stringify(server.host)}; expected a loopback address, because auth.mode is disabled`]
      : [],
  ({ auth }) =>
    auth.mode === 'jwks' && auth.jwksUrl === undefined
      ? ['auth.jwksUrl is missing; expected a URL, because auth.mode is jwks']
      : [],
  ({ auth }) =>
    auth.headerPrefixes.length > auth.headerNames.length
      ? [`auth.headerPrefixes has ${auth.headerPrefixes.length} entries; expected at most one per header name`]
      : [],
  ({ datasets }) =>
    Object.entries(datasets).flatMap(([name, { defaultLabel }]) =>
      refused(
        () => parseLabel(defaultLabel),
        (reason) =>
          `datasets.${name}.defaultLabel is ${JSON.stringify(defaultLabel)}; expected a security label (${reason})`,
      ),
    ),
  ({ auth }) =>
    Object.entries({ ...auth.users, anonymous: auth.anonymous }).flatMap(([name, { attributes }]) =>
      refused(
        () => attributesFromJson(attributes),
        (reason) => `auth.users.${name}.attributes cannot be read; ${reason}`,
      ),
    ),
  ({ indices }) =>
    repeated(
      'indices',
      indices.map(({ name }) => name),
    ),
  ({ graph: { platformSegment } }) =>
    RESERVED_SEGMENTS.has(platformSegment)
      ? [`graph.platformSegment is ${JSON.stringify(platformSegment)}; expected a segment that no other endpoint has`]
      : [],
  ({ server: { paths } }) => repeated('server.paths', Object.values(paths)),
];

function repeated(key: string, names: readonly string[]): string[] {
  return names
    .filter((name, i) => names.indexOf(name) !== i)
    .map((name) => `${key} has ${JSON.stringify(name)} twice; expected each once`);
}

function refused(check: () => unknown, toFault: (reason: string) => string): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (isCodedError(error)) return [toFault(error.message)];
    throw error;
  }
}
