import type { BlobStore } from '@cairn/events';
import { type Allocate, allocatePrivate, allocateShared, type GraphDataset, openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import type { Configuration } from '../config/configuration.ts';
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
export function createCaches(configuration: Configuration, generations: Generations): CacheFactory {
  const search = (blobs: BlobStore): Promise<SearchIndex> =>
    openSearchIndex({ indices: configuration.indices, blobs, now });
  // Workers read the memory of the datasets in place.
  const allocate: Allocate = configuration.graph.queryWorkers > 0 ? allocateShared : allocatePrivate;
  const dataset = (name: string, blobs: BlobStore): Promise<GraphDataset> =>
    openGraphDataset({ name, blobs, now, allocate });
  return {
    openSearch: async () => search(await generations.current(SEARCH)),
    async openDatasets() {
      const datasets = new Map<string, GraphDataset>();
      for (const name of Object.keys(configuration.datasets)) {
        datasets.set(name, await dataset(name, await generations.current(cacheOf(name))));
      }
      return datasets;
    },
    async freshSearch() {
      const { blobs, adopt } = await generations.next(SEARCH);
      return { cache: await search(blobs), adopt };
    },
    async freshDataset(name) {
      const { blobs, adopt } = await generations.next(cacheOf(name));
      return { cache: await dataset(name, blobs), adopt };
    },
  };
}

function cacheOf(dataset: string): string {
  return `dataset-${dataset}`;
}
