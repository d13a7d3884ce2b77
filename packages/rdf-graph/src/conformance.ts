import { freezeDeeply } from '@cairn/errors';
import type { ConformanceCase } from '@cairn/errors/conformance';
import type { GraphDatasetHarness } from './conformance/assertions.ts';
import { coreCases } from './conformance/core-cases.ts';
import { nonInterferenceCases } from './conformance/non-interference-cases.ts';
import { readerCases, readerNonInterferenceCases } from './conformance/reader-cases.ts';
import { visibleOnlyCases } from './conformance/visible-only-cases.ts';

export type { GraphDatasetHarness } from './conformance/assertions.ts';

/** The laws of `GraphDataset`: run every case up to the level that your implementation declares. */
export const graphDatasetConformance: readonly ConformanceCase<GraphDatasetHarness>[] = freezeDeeply([
  ...coreCases,
  ...readerCases,
  ...nonInterferenceCases,
  ...visibleOnlyCases,
  ...readerNonInterferenceCases,
]);
