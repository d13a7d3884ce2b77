import { freezeDeeply } from '@cairn/errors';
import type { ConformanceCase } from '@cairn/errors/conformance';
import { nonInterferenceCases } from './conformance/non-interference-cases.ts';
import { operationCases } from './conformance/operation-cases.ts';
import { queryCases } from './conformance/query-cases.ts';
import type { SearchIndexHarness } from './conformance/sample.ts';
import { hiddenNowhereCases, visibleOnlyCases } from './conformance/visible-only-cases.ts';

export type { SearchIndexHarness } from './conformance/sample.ts';

/**
 * The laws of `SearchIndex`: run every case up to the level that your implementation declares.
 *
 * A table holds every member of every request: operations are asked with each pair of them, of an index that holds
 * everything and of one that holds what the viewer may see. In `core` no answer may hold a hidden word, and the same
 * documents must match; in `non-interference` answers and errors must be equal.
 */
export const searchIndexConformance: readonly ConformanceCase<SearchIndexHarness>[] = freezeDeeply([
  ...queryCases,
  ...operationCases,
  ...hiddenNowhereCases,
  ...nonInterferenceCases,
  ...visibleOnlyCases,
]);
