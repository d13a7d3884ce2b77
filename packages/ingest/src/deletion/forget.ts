import { type BlobStore, type EventLog, HEADER, type StoredEvent, valueBlob } from '@cairn/events';
import { deadLetterTopic } from '../projector/dead-letter.ts';

/** Erases values of events from the files of a log, where it can: `eraseValues` of the file log fits. */
export type EraseValues = (topic: string, picks: (event: StoredEvent) => boolean) => Promise<unknown>;

/** What {@link eraseDocument} erases from. */
export interface ErasurePorts {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  /** Without it the log keeps what it holds inline, as a log in memory must. */
  readonly eraseValues?: EraseValues | undefined;
}

/** What an erasure found. */
export interface Erasure {
  /** Events that held something of the document. */
  readonly events: number;
  /** Blobs that were removed. */
  readonly blobs: number;
}

/**
 * Erases the values of every event about a document, in all topics and their dead letters, and the blobs that held them.
 * Deletions stay, so that a replay still removes the document. Call when the caches have applied its removal.
 * Cost: reads every topic.
 */
export async function eraseDocument(uri: string, { log, blobs, eraseValues }: ErasurePorts): Promise<Erasure> {
  const holds = (event: StoredEvent): boolean =>
    event.headers.get(HEADER.documentId) === uri && event.headers.get(HEADER.eventType) !== 'delete';
  const names = new Set<string>();
  let events = 0;
  for (const topic of await log.topics()) {
    let found = 0;
    for await (const batch of log.read(topic)) {
      for (const event of batch.filter(holds)) {
        found++;
        const blob = valueBlob(event);
        if (blob !== undefined) names.add(blob.name);
      }
    }
    if (found > 0) await eraseValues?.(topic, holds);
    events += found;
  }
  // Only now: an event must not refer to a blob that is gone.
  for (const name of names) await blobs.delete(name);
  return { events, blobs: names.size };
}

/** Blobs under `uploads/` that no event refers to: what an upload that was cut by a crash left behind. */
export async function collectUploads(
  log: EventLog,
  blobs: BlobStore,
  topics: Iterable<string>,
  prefix = 'uploads/',
): Promise<number> {
  const orphans = new Set<string>();
  for await (const { name } of blobs.list(prefix)) orphans.add(name);
  if (orphans.size === 0) return 0;
  for (const topic of [...topics].flatMap((name) => [name, deadLetterTopic(name)])) {
    for await (const batch of log.read(topic)) {
      for (const event of batch) orphans.delete(valueBlob(event)?.name ?? '');
    }
  }
  for (const name of orphans) await blobs.delete(name);
  return orphans.size;
}
