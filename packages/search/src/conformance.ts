import type { ConformanceCase } from '@cairn/errors/conformance';
import { nonInterferenceCases } from './conformance/non-interference-cases.ts';
import { operationCases } from './conformance/operation-cases.ts';
import { queryCases } from './conformance/query-cases.ts';
import type { SearchIndexHarness } from './conformance/sample.ts';

export type { SearchIndexHarness } from './conformance/sample.ts';

/** The laws of `SearchIndex`: run every case up to the level that your implementation declares. */
export const searchIndexConformance: readonly ConformanceCase<SearchIndexHarness>[] = [
  ...queryCases,
  ...operationCases,
  ...nonInterferenceCases,
];
