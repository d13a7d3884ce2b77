import { CodedError } from '@cairn/errors';
import type { ConformanceLevel } from '@cairn/errors/conformance';
import type { BlobStore, EventLog } from '@cairn/events';
import type { Extractor } from '@cairn/ingest';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { FileSystem } from '@cairn/storage-fs';
import type { AttributeSource } from '../auth/attribute-source.ts';
import type { Configuration } from '../config/configuration.ts';

/** Another engine behind a port, and how much of the port's laws it keeps. */
export interface Adapter<Port> {
  /** Name in health and versions: `opensearch`. Letters, digits and `-`. */
  readonly name: string;
  /** The highest level of the port's conformance suite of which it passes every case. */
  readonly level: ConformanceLevel;
  readonly port: Port;
}

/** Parts that take the place of the embedded ones. The server closes them when it is closed. */
export interface Adapters {
  readonly log?: EventLog;
  readonly blobs?: BlobStore;
  readonly extractor?: Extractor;
  /** Where the files of a data directory are. Default: the file system of the machine. */
  readonly fileSystem?: FileSystem;
  readonly search?: Adapter<SearchIndex>;
  /** By name; each must be configured. */
  readonly datasets?: Readonly<Record<string, Adapter<GraphDataset>>>;
  /** Says what attributes a user has, in place of tokens, the users file and userinfo. */
  readonly attributes?: AttributeSource;
}

/** The lowest level of all parts in use; the embedded ones keep non-interference. */
export function conformanceOf(adapters: Adapters): ConformanceLevel {
  return leaking(adapters).length === 0 ? 'non-interference' : 'core';
}

/**
 * Refuses adapters that the configuration does not allow.
 * @throws `ERR_STATISTICAL_LEAK` (unsupported) for one below non-interference without `allowStatisticalLeak`;
 *   `ERR_CONFIGURATION` (invalid) for a dataset that is not configured
 */
export function checkAdapters(adapters: Adapters, { allowStatisticalLeak, datasets }: Configuration): void {
  const unknown = Object.keys(adapters.datasets ?? {}).find((name) => !Object.hasOwn(datasets, name));
  if (unknown !== undefined) {
    const message = `the adapter of dataset ${JSON.stringify(unknown)} must be of a configured one; those are ${Object.keys(datasets).join(', ')}`;
    throw new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message });
  }
  const found = leaking(adapters);
  if (found.length === 0 || allowStatisticalLeak) return;
  const message =
    `${found.join(', ')} must keep the level non-interference, or allowStatisticalLeak be true: ` +
    'its answers depend on what the reader may not see';
  throw new CodedError({ code: 'ERR_STATISTICAL_LEAK', kind: 'unsupported', message });
}

/** The adapters below non-interference, as `search (opensearch)`. */
function leaking({ search, datasets = {} }: Adapters): string[] {
  const all = Object.entries(datasets).map(([name, adapter]) => [`dataset ${name}`, adapter] as const);
  return [...(search === undefined ? [] : [['search', search] as const]), ...all]
    .filter(([, { level }]) => level !== 'non-interference')
    .map(([part, { name }]) => `${part} (${name})`);
}
