import { isCodedError } from '@cairn/errors';
import { deadLetterTopic } from '@cairn/ingest';
import { slowTopics, TOPIC } from '@cairn/ingest/experimental';
import { compileIndexMapping } from '@cairn/search/experimental';
import { attributesFromJson, parseLabel } from '@cairn/security';
import type { Configuration } from './configuration.ts';
import { configurationError } from './faults.ts';

/** Segments that follow the dataset in other endpoints' paths. */
const RESERVED_SEGMENTS = new Set(['traversal']);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Checks what no single key can show.
 * @param routeFiles the file of each route, where each is in one of its own
 * @throws `ERR_CONFIGURATION` (invalid), one line per fault.
 */
export function checkTogether(configuration: Configuration, source: string, routeFiles?: readonly string[]): void {
  const faults = [...CHECKS.flatMap((check) => check(configuration)), ...sharedTopics(configuration, routeFiles)];
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
  ({ indices }) =>
    indices.flatMap((index, i) => {
      const fields = Object.entries(index.fields ?? {}).flatMap(([path, field]) =>
        refused(
          () => compileIndexMapping({ name: index.name, fields: { [path]: field } }),
          (reason) => `indices[${i}].fields.${path} is ${JSON.stringify(field)}; ${reason}`,
        ),
      );
      if (fields.length > 0) return fields;
      return refused(
        () => compileIndexMapping(index),
        (reason) => `indices[${i}] cannot be used; ${reason}`,
      );
    }),
  ({ auth }) =>
    Object.entries(auth.hierarchies).flatMap(([name, values]) => repeated(`auth.hierarchies.${name}`, values)),
  ({ server: { host, port, ports, metrics } }) => {
    const taken = new Map([[port, 'server.port']]);
    const areas = Object.entries(ports).flatMap(([area, areaPort]) => {
      const other = taken.get(areaPort);
      taken.set(areaPort, `server.ports.${area}`);
      // 0 is any port that is free.
      if (other === undefined || areaPort === 0) return [];
      return [`server.ports.${area} is ${areaPort}; expected another port than that of ${other}`];
    });
    const other = taken.get(metrics.port);
    const isTaken = metrics.enabled && metrics.port !== 0 && other !== undefined && overlap(host, metrics.host);
    if (!isTaken) return areas;
    return [...areas, `server.metrics.port is ${metrics.port}; expected another port than that of ${other}`];
  },
  ({ graph: { platformSegment } }) =>
    RESERVED_SEGMENTS.has(platformSegment)
      ? [`graph.platformSegment is ${JSON.stringify(platformSegment)}; expected a segment that no other endpoint has`]
      : [],
  ({ server: { paths } }) => repeated('server.paths', Object.values(paths)),
];

/** True when two hosts to listen on are one, or one of them is every address of the machine. */
function overlap(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::');
}

/** Several routes may share a topic; what datasets, the pipeline and dead letters are on is theirs alone. */
function sharedTopics({ routes, datasets }: Configuration, routeFiles: readonly string[] | undefined): string[] {
  const pipeline = Object.values(TOPIC);
  const uploads = routes.map(({ topic }) => topic);
  const lanes = uploads.flatMap(slowTopics);
  const letters = [...pipeline, ...uploads, ...Object.keys(datasets)].map(deadLetterTopic);
  const faultOf = (key: string, topic: string, taken: readonly string[]): string[] =>
    taken.includes(topic) || letters.includes(topic) || lanes.includes(topic)
      ? [
          `${key} is ${JSON.stringify(topic)}; expected a topic that nothing else uses: ${taken.join(', ')} are taken, dead letters (TOPIC.dlq) of every topic, and lanes of slow documents (TOPIC.slow1 to 6) of every route`,
        ]
      : [];
  return [
    ...routes.flatMap(({ name, topic }, i) => {
      const file = routeFiles?.[i];
      const key = file === undefined ? `routes[${i}].topic` : `topic in ${file}`;
      return faultOf(`${key} (route ${name})`, topic, [...Object.keys(datasets), ...pipeline]);
    }),
    ...Object.keys(datasets).flatMap((name) => faultOf(`the topic of datasets.${name}`, name, pipeline)),
  ];
}

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
