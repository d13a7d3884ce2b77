import { type BlobStore, type EventLog, HEADER, type StoredEvent, valueBlob } from '@cairn/events';
import { filenameOf, INGEST_HEADER, isDeletion } from '../pipeline/contract.ts';
import { readNote, writeNote } from '../work/note.ts';

/** Erases values of events and the headers that the predicate names, where it can: the file log's `eraseValues` fits. */
export type EraseValues = (
  topic: string,
  picks: (event: StoredEvent) => boolean | readonly string[],
) => Promise<unknown>;

/** They say something of a document beside its value. */
const TELLING_HEADERS: readonly string[] = [INGEST_HEADER.filename, INGEST_HEADER.sender, HEADER.dataSourceReference];

/** A document that can be forgotten. */
export interface Forgettable {
  readonly uri: string;
  /** Events that hold something of it. */
  readonly events: number;
  /** The name of its file, where one is known. */
  readonly filename: string | undefined;
}

/**
 * The documents among some IRIs of which the log holds anything, in the order of the log; also those whose erasure was
 * begun and has not ended. Cost: reads every topic.
 */
export async function findForgettable(
  uris: ReadonlySet<string>,
  { log, blobs }: Pick<ErasurePorts, 'log' | 'blobs'>,
): Promise<Forgettable[]> {
  const found = new Map<string, Forgettable>();
  const begun = new Set((await readUnfinishedErasure(blobs)).uris);
  await visitEvents(log, (event) => {
    const uri = documentOf(event);
    if (uri === undefined || !uris.has(uri)) return;
    if (event.headers.get(HEADER.erased) === 'true' && !begun.has(uri)) return;
    const known = found.get(uri);
    const filename = known?.filename ?? filenameOf(event);
    found.set(uri, { uri, events: (known?.events ?? 0) + 1, filename });
  });
  return [...found.values()];
}

async function visitEvents(log: EventLog, visit: (event: StoredEvent) => void): Promise<void> {
  for (const topic of await log.topics()) {
    for await (const batch of log.read(topic)) for (const event of batch) visit(event);
  }
}

/** The document that an event holds something of; a deletion holds nothing. */
function documentOf(event: StoredEvent): string | undefined {
  return isDeletion(event) ? undefined : event.headers.get(HEADER.documentId);
}

/** Stores that {@link eraseDocuments} erases from. */
export interface ErasurePorts {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  /** Without it the log keeps what it holds inline, as a log in memory must. */
  readonly eraseValues?: EraseValues | undefined;
}

/** Result of an erasure. */
export interface Erasure {
  /** The documents, with those of erasures that were cut short before. */
  readonly uris: readonly string[];
  /** Events that held something of the document. */
  readonly events: number;
  /** Blobs that were removed. */
  readonly blobs: number;
  /** The topics that those events are on. */
  readonly topics: readonly string[];
}

/**
 * Erases the values of every event about some documents, in all topics and their dead letters, and the blobs that held them.
 * Deletions stay, so that a replay still removes the documents. Call when the caches have applied their removal.
 *
 * A note is in the blob store from before the first step until {@link endErasure} is called, so that the next erasure
 * ends one that was cut short as well. Cost: reads every topic.
 */
export async function eraseDocuments(uris: ReadonlySet<string>, ports: ErasurePorts): Promise<Erasure> {
  const { log, blobs, eraseValues } = ports;
  const unfinished = await readUnfinishedErasure(blobs);
  const all = new Set([...unfinished.uris, ...uris]);
  const holds = (event: StoredEvent): boolean => {
    const uri = documentOf(event);
    return uri !== undefined && all.has(uri);
  };
  const { held, heldByOthers, events } = await readHolders(log, holds);
  // Equal values of other documents share their blob.
  const names = [...new Set([...unfinished.blobs, ...held])].filter((name) => !heldByOthers.has(name));
  await noteErasure({ uris: [...all], blobs: names }, blobs);
  for (const topic of events.keys()) await eraseValues?.(topic, (event) => (holds(event) ? TELLING_HEADERS : false));
  // Only now: an event must not refer to a blob that is gone.
  for (const name of names) await blobs.delete(name);
  const count = [...events.values()].reduce((sum, each) => sum + each, 0);
  return { uris: [...all], events: count, blobs: names.length, topics: [...events.keys()] };
}

/** The blobs of events of documents, those of other events, and how many events of documents each topic has. */
async function readHolders(log: EventLog, holds: (event: StoredEvent) => boolean) {
  const [held, heldByOthers, events] = [new Set<string>(), new Set<string>(), new Map<string, number>()];
  await visitEvents(log, (event) => {
    const name = valueBlob(event)?.name;
    const isHeld = holds(event);
    if (isHeld) events.set(event.topic, (events.get(event.topic) ?? 0) + 1);
    if (name !== undefined) (isHeld ? held : heldByOthers).add(name);
  });
  return { held, heldByOthers, events };
}

interface UnfinishedErasure {
  /** Documents of which values were erased, or may have been. */
  readonly uris: readonly string[];
  /** Blobs that held values of theirs: once those are erased, no event tells of them. */
  readonly blobs: readonly string[];
}

const NOTE = 'erasure';
const NOTHING: UnfinishedErasure = { uris: [], blobs: [] };

/**
 * The erasure that a process began and did not live to end; empty when there is none. A note that is damaged tells of
 * nothing.
 * @throws what the store throws that is worth another try
 */
export function readUnfinishedErasure(blobs: BlobStore): Promise<UnfinishedErasure> {
  const read = (text: string | undefined) => (text === undefined ? NOTHING : JSON.parse(text));
  return readNote<UnfinishedErasure>(blobs, NOTE, read, () => NOTHING);
}

function noteErasure(erasure: UnfinishedErasure, blobs: BlobStore): Promise<void> {
  return writeNote(blobs, NOTE, JSON.stringify(erasure));
}

/** Takes documents off the note, after the last step. Another erasure may have begun meanwhile: its documents stay. */
export async function endErasure(uris: Iterable<string>, blobs: BlobStore): Promise<void> {
  const ended = new Set(uris);
  const noted = await readUnfinishedErasure(blobs);
  const left = noted.uris.filter((uri) => !ended.has(uri));
  await noteErasure(left.length === 0 ? NOTHING : { uris: left, blobs: noted.blobs }, blobs);
}
