import type { SearchIndex } from '../port/search-index.ts';

/** Implementation that the cases run against. */
export interface SearchIndexHarness {
  /** An empty index with these named indices in this order, without a default label. */
  readonly open: (indices: readonly string[]) => Promise<SearchIndex>;
  /** For durable ones: flushes and closes an index, then opens what it stored. Without it those laws are not tried. */
  readonly reopen?: (index: SearchIndex) => Promise<SearchIndex>;
  /** Called once after the case, also when it failed. */
  readonly dispose?: () => Promise<void>;
}
