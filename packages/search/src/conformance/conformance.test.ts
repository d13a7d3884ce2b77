import { type BlobStore, createMemoryBlobStore } from '@cairn/events';
import { describe, it } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type { SearchIndex } from '../port/search-index.ts';
import type { SearchIndexHarness } from './sample.ts';

async function createStored(): Promise<SearchIndexHarness> {
  const stores = new Map<SearchIndex, { blobs: BlobStore; indices: readonly string[] }>();
  const openWith = async (indices: readonly string[], blobs: BlobStore): Promise<SearchIndex> => {
    const index = await openSearchIndex({ indices, blobs });
    stores.set(index, { blobs, indices });
    return index;
  };
  return {
    open: (indices) => openWith(indices, createMemoryBlobStore()),
    reopen: async (index) => {
      const { indices, blobs } = stores.get(index)!;
      await index.flush();
      await index.close();
      return openWith(indices, blobs);
    },
  };
}

describe('the memory engine', () => {
  for (const { name, run } of searchIndexConformance) {
    it(name, () => run(async () => ({ open: (indices) => openSearchIndex({ indices }) })));
  }
});

describe('the stored engine', () => {
  for (const { name, run } of searchIndexConformance) it(name, () => run(createStored));
});
