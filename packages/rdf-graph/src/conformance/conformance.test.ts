import { type BlobStore, createMemoryBlobStore } from '@cairn/events';
import { describe, it } from 'vitest';
import { graphDatasetConformance } from '../conformance.ts';
import { openGraphDataset } from '../dataset/open.ts';
import type { GraphDataset } from '../graph/port/graph-dataset.ts';
import { portAlone } from '../testing/port-alone.ts';
import type { GraphDatasetHarness } from './assertions.ts';

async function createStored(): Promise<GraphDatasetHarness> {
  const stores = new Map<GraphDataset, BlobStore>();
  const openWith = async (blobs: BlobStore): Promise<GraphDataset> => {
    const dataset = await openGraphDataset({ name: 'conformance', blobs });
    stores.set(dataset, blobs);
    return dataset;
  };
  return {
    open: () => openWith(createMemoryBlobStore()),
    reopen: async (dataset) => {
      await dataset.flush();
      await dataset.close();
      return openWith(stores.get(dataset)!);
    },
  };
}

describe('the memory dataset', () => {
  for (const { name, run } of graphDatasetConformance) {
    it(name, () => run(async () => ({ open: () => openGraphDataset({ name: 'conformance' }) })));
  }
});

describe('a dataset that offers the port alone', () => {
  for (const { name, run } of graphDatasetConformance) {
    it(name, () => run(async () => ({ open: async () => portAlone(await openGraphDataset({ name: 'conformance' })) })));
  }
});

describe('the stored dataset', () => {
  for (const { name, run } of graphDatasetConformance) it(name, () => run(createStored));
});
