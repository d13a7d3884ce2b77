import { type BlobStore, type EventLog, HEADER, type StoredEvent, valueBlob } from '@cairn/events';
import { INGEST_HEADER } from '../pipeline/contract.ts';

/**
 * Erases values of events from the files of a log, where it can, and the headers that the predicate names: `eraseValues`
 * of the file log fits.
 */
export type EraseValues = (
  topic: string,
  picks: (event: StoredEvent) => boolean | readonly string[],
) => Promise<unknown>;

/** They say something of a document beside its value. */
const TELLING_HEADERS: readonly string[] = [INGEST_HEADER.filename, HEADER.dataSourceReference];

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
  /** The topics that those events stand on. */
  readonly topics: readonly string[];
}

/**
 * Erases the values of every event about a document, in all topics and their dead letters, and the blobs that held them.
 * Deletions stay, so that a replay still removes the document. Call when the caches have applied its removal.
 * Cost: reads every topic.
 */
export async function eraseDocument(uri: string, { log, blobs, eraseValues }: ErasurePorts): Promise<Erasure> {
  const holds = (event: StoredEvent): boolean =>
    event.headers.get(HEADER.documentId) === uri && event.headers.get(HEADER.eventType) !== 'delete';
  const held = new Set<string>();
  const heldByOthers = new Set<string>();
  const topics: string[] = [];
  let events = 0;
  for (const topic of await log.topics()) {
    let found = 0;
    for await (const batch of log.read(topic)) {
      for (const event of batch) {
        const name = valueBlob(event)?.name;
        if (holds(event)) found++;
        if (name !== undefined) (holds(event) ? held : heldByOthers).add(name);
      }
    }
    if (found === 0) continue;
    await eraseValues?.(topic, (event) => (holds(event) ? TELLING_HEADERS : false));
    topics.push(topic);
    events += found;
  }
  // Only now: an event must not refer to a blob that is gone. Equal values of other documents share theirs.
  const names = [...held].filter((name) => !heldByOthers.has(name));
  for (const name of names) await blobs.delete(name);
  return { events, blobs: names.length, topics };
}
