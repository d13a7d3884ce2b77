import { CodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import { type Allocate, allocatePrivate, allocateShared, type GraphDataset, openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import type { Configuration } from '../config/configuration.ts';
import type { Adapters } from './adapters.ts';
import type { Generations } from './generations.ts';

/** A cache that a rebuild fills, and the step that puts its blobs in use. */
export interface FreshCache<Cache> {
  readonly cache: Cache;
  adopt(): Promise<void>;
}

/** Opens the caches of a configuration where their current generations are, or empty ones in new generations. */
export interface CacheFactory {
  openSearch(): Promise<SearchIndex>;
  openDatasets(): Promise<Map<string, GraphDataset>>;
  freshSearch(): Promise<FreshCache<SearchIndex>>;
  freshDataset(name: string): Promise<FreshCache<GraphDataset>>;
}

const SEARCH = 'search-index';

/** The clock that time limits are measured by. */
const now = (): number => performance.now();

/** The caches of a configuration. */
export function createCaches(configuration: Configuration, generations: Generations, adapters: Adapters): CacheFactory {
  const search = (blobs: BlobStore): Promise<SearchIndex> =>
    openSearchIndex({ indices: configuration.indices, blobs, now });
  // Workers read the memory of the datasets in place.
  const allocate: Allocate = configuration.graph.queryWorkers > 0 ? allocateShared : allocatePrivate;
  const dataset = (name: string, blobs: BlobStore): Promise<GraphDataset> =>
    openGraphDataset({ name, blobs, now, allocate });
  return {
    openSearch: async () => adapters.search?.port ?? search(await generations.current(SEARCH)),
    async openDatasets() {
      const datasets = new Map<string, GraphDataset>();
      for (const name of Object.keys(configuration.datasets)) {
        const adapter = adapters.datasets?.[name]?.port;
        datasets.set(name, adapter ?? (await dataset(name, await generations.current(cacheOf(name)))));
      }
      return datasets;
    },
    async freshSearch() {
      if (adapters.search !== undefined) throw notEmbedded('search', adapters.search.name);
      const { blobs, adopt } = await generations.next(SEARCH);
      return { cache: await search(blobs), adopt };
    },
    async freshDataset(name) {
      const adapter = adapters.datasets?.[name];
      if (adapter !== undefined) throw notEmbedded(name, adapter.name);
      const { blobs, adopt } = await generations.next(cacheOf(name));
      return { cache: await dataset(name, blobs), adopt };
    },
  };
}

function notEmbedded(cache: string, adapter: string): CodedError {
  const message = `${cache} must be embedded to be rebuilt; it is ${adapter}: empty that and start again`;
  return new CodedError({ code: 'ERR_REBUILD_ADAPTER', kind: 'unsupported', message });
}

function cacheOf(dataset: string): string {
  return `dataset-${dataset}`;
}
