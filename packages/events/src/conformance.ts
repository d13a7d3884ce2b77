import { freezeDeeply } from '@cairn/errors';
import type { ConformanceCase } from '@cairn/errors/conformance';
import { blobCases } from './conformance/blob-cases.ts';
import type { BlobStoreHarness } from './conformance/blob-harness.ts';
import { appendCases } from './conformance/log-append-cases.ts';
import type { EventLogHarness } from './conformance/log-harness.ts';
import { readCases } from './conformance/log-read-cases.ts';
import { topicCases } from './conformance/log-topic-cases.ts';
import { manifestCases } from './conformance/manifest-cases.ts';

export type { BlobStoreHarness } from './conformance/blob-harness.ts';
export type { DelayedSourceOptions, Random } from './conformance/delayed-source.ts';
export {
  asViewingBytes,
  delayedSource,
  delayedText,
  noiseBytes,
  pieceSizes,
  seededRandom,
} from './conformance/delayed-source.ts';
export type { EventLogHarness } from './conformance/log-harness.ts';

/** The laws of `EventLog`: run every case on your implementation. */
export const eventLogConformance: readonly ConformanceCase<EventLogHarness>[] = freezeDeeply([
  ...appendCases,
  ...readCases,
  ...topicCases,
]);

/** The laws of `BlobStore`: run every case on your implementation. */
export const blobStoreConformance: readonly ConformanceCase<BlobStoreHarness>[] = freezeDeeply([
  ...blobCases,
  ...manifestCases,
]);
