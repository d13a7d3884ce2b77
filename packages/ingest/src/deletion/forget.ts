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

/** A document that can be forgotten. */
export interface Forgettable {
  readonly uri: string;
  /** Events that hold something of it. */
  readonly events: number;
  /** The name of its file, where one is known. */
  readonly filename: string | undefined;
}

/** The documents among some IRIs of which the log holds anything, in the order of the log. Cost: reads every topic. */
export async function findForgettable(log: EventLog, uris: ReadonlySet<string>): Promise<Forgettable[]> {
  const found = new Map<string, Forgettable>();
  for (const topic of await log.topics()) {
    for await (const batch of log.read(topic)) {
      for (const event of batch) {
        const uri = documentOf(event);
        if (uri === undefined || !uris.has(uri) || event.headers.get(HEADER.erased) === 'true') continue;
        const known = found.get(uri);
        const filename = known?.filename ?? filenameOf(event);
        found.set(uri, { uri, events: (known?.events ?? 0) + 1, filename });
      }
    }
  }
  return [...found.values()];
}

function filenameOf({ headers }: StoredEvent): string | undefined {
  const encoded = headers.get(INGEST_HEADER.filename);
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The document that an event holds something of; a deletion holds nothing. */
function documentOf({ headers }: StoredEvent): string | undefined {
  return headers.get(HEADER.eventType) === 'delete' ? undefined : headers.get(HEADER.documentId);
}

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
export function eraseDocument(uri: string, ports: ErasurePorts): Promise<Erasure> {
  return eraseDocuments(new Set([uri]), ports);
}

/** The same for many documents, in one reading of the log. */
export async function eraseDocuments(
  uris: ReadonlySet<string>,
  { log, blobs, eraseValues }: ErasurePorts,
): Promise<Erasure> {
  const holds = (event: StoredEvent): boolean => {
    const uri = documentOf(event);
    return uri !== undefined && uris.has(uri);
  };
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
