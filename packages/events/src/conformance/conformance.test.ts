import { describe, it } from 'vitest';
import { createMemoryBlobStore } from '../blobs/memory-blobs.ts';
import { blobStoreConformance, eventLogConformance } from '../conformance.ts';
import { createMemoryEventLog } from '../log/memory-log.ts';

describe('the memory event log', () => {
  for (const { name, run } of eventLogConformance) {
    it(name, () =>
      run(async () => ({ log: createMemoryEventLog({ maxEventBytes: 400_000 }), tooLargeBytes: 500_000 })),
    );
  }
});

describe('the memory blob store', () => {
  for (const { name, run } of blobStoreConformance) {
    it(name, () => run(async () => ({ blobs: createMemoryBlobStore() })));
  }
});
