import type { BuildInfo } from './build-info.ts';

/** One component, as the version endpoints show it. */
export interface ComponentVersion {
  readonly name: string;
  readonly version: string;
  readonly artifactId: string;
  readonly groupId: string;
  readonly buildEnv: string;
  readonly revision: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly timestamp: string;
}

/** Components by key. */
export type VersionInfo = Readonly<Record<string, ComponentVersion>>;

/** From the key of a component to the package that is it. */
const SEARCH_COMPONENTS = {
  'search-api': 'server',
  'search-index-cairn': 'search',
  'search-api-server': 'server',
};

const INGEST_COMPONENTS = {
  'http-ingester': 'server',
  'projectors-core': 'ingest',
  'routes-api': 'ingest',
  'jaxrs-base-server': 'server',
};

/** The components of the search area. */
export function searchVersions(build: BuildInfo): VersionInfo {
  return toVersions(SEARCH_COMPONENTS, build);
}

/** The components of the ingester; the event source is the log in use, `file` or `memory`. */
export function ingestVersions(build: BuildInfo, eventSource: 'file' | 'memory'): VersionInfo {
  const source = { [`event-source-${eventSource}`]: eventSource === 'file' ? 'storage-fs' : 'events' };
  return toVersions({ ...INGEST_COMPONENTS, ...source }, build);
}

function toVersions(components: Readonly<Record<string, string>>, build: BuildInfo): VersionInfo {
  const entries = Object.entries(components).map(([key, name]): [string, ComponentVersion] => [
    key,
    {
      name: key,
      version: build.versions[name] ?? '0.0.0-source',
      artifactId: `@cairn/${name}`,
      groupId: '@cairn',
      buildEnv: build.environment,
      revision: build.revision,
      timestamp: build.timestamp,
    },
  ]);
  return Object.fromEntries(entries);
}
