import type { EventSource } from '../composition/storage.ts';
import type { BuildInfo } from './build-info.ts';

/** One component, as the version endpoints show it. */
export interface ComponentVersion {
  readonly name: string;
  readonly version: string;
  readonly artifactId?: string;
  readonly groupId: string;
  readonly buildEnv: string;
  readonly revision: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly timestamp: string;
}

export type VersionInfo = Readonly<Record<string, ComponentVersion>>;

/** From the key of a component to the package that is it. */
const INGEST_COMPONENTS = {
  'http-ingester': 'server',
  'projectors-core': 'ingest',
  'routes-api': 'ingest',
  'jaxrs-base-server': 'server',
};

/** From the log in use to the package that is it; none of ours for an adapter. */
const EVENT_SOURCES: Readonly<Record<EventSource, string | undefined>> = {
  file: 'storage-fs',
  memory: 'events',
  custom: undefined,
};

/** The components of the search area; the index is the embedded one or the adapter of this name. */
export function searchVersions(build: BuildInfo, adapter?: string): VersionInfo {
  const index = { [`search-index-${adapter ?? 'cairn'}`]: adapter === undefined ? 'search' : undefined };
  return toVersions({ 'search-api': 'server', ...index, 'search-api-server': 'server' }, build);
}

/** The components of the ingester; the event source is the log in use. */
export function ingestVersions(build: BuildInfo, eventSource: EventSource): VersionInfo {
  const source = { [`event-source-${eventSource}`]: EVENT_SOURCES[eventSource] };
  return toVersions({ ...INGEST_COMPONENTS, ...source }, build);
}

function toVersions(components: Readonly<Record<string, string | undefined>>, build: BuildInfo): VersionInfo {
  const toVersion = (key: string, name?: string) => (name === undefined ? foreign(key, build) : ours(key, name, build));
  return Object.fromEntries(Object.entries(components).map(([key, name]) => [key, toVersion(key, name)]));
}

function ours(key: string, name: string, build: BuildInfo): ComponentVersion {
  return {
    name: key,
    version: build.versions[name] ?? '0.0.0-source',
    artifactId: `@cairn/${name}`,
    groupId: '@cairn',
    buildEnv: build.environment,
    revision: build.revision,
    timestamp: build.timestamp,
  };
}

/** An adapter tells no version. */
function foreign(key: string, { environment, timestamp }: BuildInfo): ComponentVersion {
  return { name: key, version: 'unknown', groupId: 'adapter', buildEnv: environment, revision: 'unknown', timestamp };
}
