import type { GraphDataset, Snapshot } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';

/** A dataset whose state another thread can read. */
export interface SharedReading extends GraphDataset {
  snapshot(viewer: Viewer): Snapshot;
}

/** Whether a dataset is one of them: the embedded ones are. */
export function isShared(dataset: GraphDataset): dataset is SharedReading {
  return 'snapshot' in dataset;
}
