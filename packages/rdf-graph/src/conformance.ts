import type { ConformanceCase } from './conformance/conformance-case.ts';
import { coreCases } from './conformance/core-cases.ts';
import { nonInterferenceCases } from './conformance/non-interference-cases.ts';

export type { ConformanceCase, ConformanceLevel, GraphDatasetHarness } from './conformance/conformance-case.ts';

/** The laws of `GraphDataset`: run every case up to the level that your implementation declares. */
export const graphDatasetConformance: readonly ConformanceCase[] = [...coreCases, ...nonInterferenceCases];
