import type { GraphDataset } from '../graph/port/graph-dataset.ts';

/** Implementation that the cases run against. */
export interface GraphDatasetHarness {
  /** An empty dataset. */
  readonly open: () => Promise<GraphDataset>;
  /** For durable ones: flushes and closes a dataset, then opens what it stored. Without it those laws are not tried. */
  readonly reopen?: (dataset: GraphDataset) => Promise<GraphDataset>;
  /** Called once after the case, also when it failed. */
  readonly dispose?: () => Promise<void>;
}
