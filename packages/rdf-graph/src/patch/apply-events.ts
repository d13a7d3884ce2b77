import { checkArray } from '@cairn/errors';
import { createEventIdSet, type EventIdSet, type EventLog, HEADER, type StoredEvent } from '@cairn/events';
import type { ChangeSet, GraphDataset } from '../port/graph-dataset.ts';
import { changeSetFromEvent, type EventChangesOptions } from './event-changes.ts';

/** Options of {@link applyEvents}. */
export interface ApplyEventsOptions extends EventChangesOptions {
  /** The ids of events that were applied before; those of this call are added. Default: none. */
  readonly applied?: EventIdSet | undefined;
  /**
   * Told of an event that cannot be read, which is then passed over: put it on a dead-letter topic here. Without it the
   * error is thrown and nothing of the batch is applied.
   */
  readonly onFailure?: ((event: StoredEvent, error: unknown) => Promise<void> | void) | undefined;
}

/** What became of the events of one batch. */
export interface AppliedEvents {
  readonly applied: number;
  /** Delivered before, so dropped. */
  readonly repeated: number;
  readonly failed: number;
}

/**
 * Applies a batch of events of one or several topics to a dataset as one step, with the positions they stand at.
 * Delivering an event again changes nothing.
 * @throws what `GraphDataset.apply` throws; what {@link changeSetFromEvent} throws without `onFailure`
 */
export async function applyEvents(
  dataset: GraphDataset,
  events: readonly StoredEvent[],
  options: ApplyEventsOptions = {},
): Promise<AppliedEvents> {
  checkArray(events, 'the events');
  const seen = options.applied ?? createEventIdSet();
  const fresh = new Set<string>();
  const changes: ChangeSet[] = [];
  const positions: Record<string, string> = {};
  const counts = { applied: 0, repeated: 0, failed: 0 };
  for (const event of events) {
    const id = event.headers.get(HEADER.eventId);
    if (id !== undefined && (seen.has(id) || fresh.has(id))) counts.repeated++;
    else {
      const change = await readChange(event, options);
      if (change === undefined) counts.failed++;
      else {
        changes.push(change);
        counts.applied++;
      }
      if (id !== undefined) fresh.add(id);
    }
    positions[event.topic] = event.position;
  }
  if (events.length > 0) await dataset.apply(changes, positions);
  for (const id of fresh) seen.add(id);
  return counts;
}

async function readChange(event: StoredEvent, options: ApplyEventsOptions): Promise<ChangeSet | undefined> {
  try {
    return await changeSetFromEvent(event, options);
  } catch (error) {
    if (options.onFailure === undefined || options.signal?.aborted === true) throw error;
    await options.onFailure(event, error);
    return undefined;
  }
}

/** Options of {@link projectEvents}. */
export interface ProjectEventsOptions extends ApplyEventsOptions {
  /** At the end of the topic wait for more, until the signal aborts. Default false. */
  readonly wait?: boolean | undefined;
  /** Largest number of events applied in one step. Default 1000. */
  readonly maxBatchEvents?: number | undefined;
  /** Told after each step. */
  readonly onApplied?: ((result: AppliedEvents, position: string) => void) | undefined;
}

/**
 * Keeps a dataset up with a topic of a log: applies what stands after the dataset's position, in order. Resolves at the
 * end of the topic, or with `wait` when the signal aborts.
 * @throws what {@link applyEvents} and `EventLog.read` throw
 */
export async function projectEvents(
  log: EventLog,
  topic: string,
  dataset: GraphDataset,
  options: ProjectEventsOptions = {},
): Promise<void> {
  const applied = options.applied ?? createEventIdSet();
  const batches = log.read(topic, {
    after: dataset.positions()[topic],
    wait: options.wait ?? false,
    maxBatchEvents: options.maxBatchEvents ?? 1000,
    signal: options.signal,
  });
  for await (const events of batches) {
    const result = await applyEvents(dataset, events, { ...options, applied });
    options.onApplied?.(result, events.at(-1)!.position);
  }
}
