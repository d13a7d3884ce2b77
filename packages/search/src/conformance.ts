import type { ConformanceCase } from './conformance/conformance-case.ts';
import { nonInterferenceCases } from './conformance/non-interference-cases.ts';
import { operationCases } from './conformance/operation-cases.ts';
import { queryCases } from './conformance/query-cases.ts';

export type { ConformanceCase, ConformanceLevel, SearchIndexHarness } from './conformance/conformance-case.ts';

/** The laws of `SearchIndex`: run every case up to the level that your implementation declares. */
export const searchIndexConformance: readonly ConformanceCase[] = [
  ...queryCases,
  ...operationCases,
  ...nonInterferenceCases,
];
