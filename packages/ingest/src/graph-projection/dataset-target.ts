import type { Position, StoredEvent } from '@cairn/events';
import type { ChangeSet, GraphDataset } from '@cairn/rdf-graph';
import type { FailedEvent } from '../projector/dead-letter.ts';
import { isOfContent } from '../projector/fault.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import type { ChangeReader } from './change-reader.ts';

export interface DatasetTargetOptions {
  readonly dataset: GraphDataset;
  readonly topic: string;
  readonly changes: ChangeReader;
  /** Lets others run; called for each event. */
  readonly pause: () => Promise<void>;
}

/** Carries a topic into its dataset. An event that is no RDF, or is cut short, fails on its own. */
export function createDatasetTarget(options: DatasetTargetOptions): ProjectionTarget {
  const { dataset, topic } = options;
  return {
    start: async () => dataset.positions()[topic],
    flush: () => dataset.flush(),
    apply: (events, upTo) => applyBatch(events, upTo, options),
  };
}

async function applyBatch(
  events: readonly StoredEvent[],
  upTo: Position,
  { dataset, topic, changes, pause }: DatasetTargetOptions,
): Promise<FailedEvent[]> {
  const failed: FailedEvent[] = [];
  const readable: ChangeSet[] = [];
  for (const event of events) {
    await pause();
    try {
      readable.push(await changes.read(event));
    } catch (error) {
      if (!isOfContent(error)) throw error;
      failed.push({ event, error });
    }
  }
  await dataset.apply(readable, { [topic]: upTo });
  return failed;
}
