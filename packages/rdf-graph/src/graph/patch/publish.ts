import { checkObject, checkPort, checkText } from '@cairn/errors';
import { type BlobStore, type EventLog, type HeadersInit, offloadValue, type Position } from '@cairn/events';
import type { ChangeSet } from '../port/graph-dataset.ts';
import { toPatchEvents } from './events.ts';

/** Options of {@link publishChangeSet}. */
export interface PublishOptions {
  /** Identifies the request: publishing it again gives events that consumers drop. */
  readonly eventId: string;
  readonly headers?: HeadersInit | undefined;
  /** Where a patch over 1 MiB goes. Without it the log decides how large an event may be. */
  readonly blobs?: BlobStore | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Appends a change set to a topic as RDF patches, one event for each label, as one atomic batch. Returns their
 * positions; none for a change set that changes nothing. Durable when it resolves.
 * @throws what the log and the blob store throw; `ERR_ARGUMENT` (invalid) for what is no log, topic or change set
 */
export async function publishChangeSet(
  log: EventLog,
  topic: string,
  changes: ChangeSet,
  options: PublishOptions,
): Promise<Position[]> {
  checkPort(log, 'append', 'the log');
  checkText(topic, 'the topic');
  checkObject(options, 'the options of publishChangeSet');
  const { blobs, signal } = options;
  if (blobs !== undefined) checkPort(blobs, 'putContent', 'blobs');
  const events = await toPatchEvents(changes, options);
  if (events.length === 0) return [];
  const batch =
    blobs === undefined ? events : await Promise.all(events.map((event) => offloadValue(event, blobs, { signal })));
  return log.append(topic, batch);
}
