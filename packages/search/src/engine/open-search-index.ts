import { CodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import type { IndexConfiguration } from '../mapping/configuration.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import type { Pause } from '../plan/work-budget.ts';
import { SearchEngine } from './engine.ts';
import { IndexStore } from './index-store.ts';
import { pauseForOthers } from './pause.ts';

/** What a search index is opened with. */
export interface SearchIndexOptions {
  /** The named indices; their order decides among documents of one id. At least one. */
  readonly indices: readonly IndexConfiguration[];
  /** Where segments are stored. Without it everything is in memory only. */
  readonly blobs?: BlobStore;
  /** Name of the manifest among the blobs. Default `search`. */
  readonly name?: string;
  /** A clock in milliseconds, for time limits. Default `performance.now`. */
  readonly now?: () => number;
  /** Lets other work run. Default: a message to oneself. */
  readonly pause?: Pause;
}

/**
 * Opens a search index.
 * @throws `ERR_CONFIGURATION` (invalid) for a bad configuration.
 */
export async function openSearchIndex(options: SearchIndexOptions): Promise<SearchEngine> {
  const { indices, now = () => performance.now(), pause = pauseForOthers } = options;
  const stores = new Map<string, IndexStore>();
  for (const mapping of indices.map(compileIndexMapping)) {
    if (stores.has(mapping.name)) throw invalid(`index names must differ; got ${mapping.name} twice`);
    stores.set(mapping.name, new IndexStore(mapping));
  }
  if (stores.size === 0) throw invalid('a search index needs at least one named index; got none');
  return new SearchEngine(stores, { now, pause });
}

function invalid(message: string): CodedError {
  return new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message });
}
