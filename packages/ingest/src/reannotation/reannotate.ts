import { throwIfAborted } from '@cairn/errors';
import {
  type BlobStore,
  type Event,
  type EventLog,
  HEADER,
  loadValue,
  offloadValue,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import { type AnnotatedDocument, EVENT_TYPE, isDeletion, labelOf, readJson, TOPIC } from '../pipeline/contract.ts';
import { deriveEvent } from '../pipeline/derive.ts';
import { annotate, type FindEntitiesOptions } from '../pipeline/find-entities.ts';
import { isOfContent } from '../projector/fault.ts';

export interface ReannotationOptions extends FindEntitiesOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  /** Selects the documents. Default: all. */
  readonly concerns?: ((document: AnnotatedDocument) => Promise<boolean>) | undefined;
  /** Told of the documents that were looked at, of all that there are. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const STAGE = 'reannotate';
const MAX_EVENTS_AT_ONCE = 100;

/**
 * Looks for the names of now in documents, and appends a new event for each in which it finds others than were
 * recorded. Returns how many. Such an event changes a document that is there and never brings one back.
 *
 * Done again, or over what a run before it that was cut short has left, it appends only what is still missing.
 * Cost: reads `document.entities` twice.
 */
export async function reannotate(options: ReannotationOptions): Promise<number> {
  const { log, onProgress, signal } = options;
  const latest = await latestEvents(log, signal);
  let done = 0;
  let changed = 0;
  let made: Event[] = [];
  const append = async (): Promise<void> => {
    if (made.length > 0) await log.append(TOPIC.entities, made);
    changed += made.length;
    made = [];
  };
  for await (const batch of log.read(TOPIC.entities, { maxBatchEvents: MAX_EVENTS_AT_ONCE })) {
    for (const event of batch) {
      if (latest.get(event.headers.get(HEADER.documentId) ?? '') !== event.position) continue;
      await options.pause();
      throwIfAborted(signal);
      const again = await annotateAgain(event, options);
      if (again !== undefined) made.push(again);
      if (made.length >= MAX_EVENTS_AT_ONCE) await append();
      onProgress?.(++done, latest.size);
    }
    await append();
    if (done >= latest.size) break;
  }
  return changed;
}

/** Where each document that is there was annotated last. */
async function latestEvents(log: EventLog, signal: AbortSignal | undefined): Promise<Map<string, Position>> {
  const latest = new Map<string, Position>();
  for await (const batch of log.read(TOPIC.entities, { maxBatchEvents: MAX_EVENTS_AT_ONCE })) {
    throwIfAborted(signal);
    for (const event of batch) {
      const uri = event.headers.get(HEADER.documentId);
      if (uri === undefined) continue;
      if (isDeletion(event) || event.headers.get(HEADER.erased) === 'true') latest.delete(uri);
      else latest.set(uri, event.position);
    }
  }
  return latest;
}

/** The event that says what is found in a document now; `undefined` when that is what was recorded. */
async function annotateAgain(event: StoredEvent, options: ReannotationOptions): Promise<Event | undefined> {
  const { blobs, concerns } = options;
  const recorded = await readIfPossible(event, blobs);
  if (recorded === undefined || (concerns !== undefined && !(await concerns(recorded)))) return undefined;
  const { document } = recorded;
  const names = options.names();
  const mentions = await annotate(document.text, labelOf(event), options);
  if (JSON.stringify(mentions) === JSON.stringify(recorded.mentions)) return undefined;
  const annotated: AnnotatedDocument = { ...recorded, mentions, names };
  const value = JSON.stringify(annotated);
  return offloadValue(deriveEvent({ source: event, stage: STAGE, type: EVENT_TYPE.reannotated, value }), blobs);
}

/** `undefined` for an event that was a dead letter when it came. */
async function readIfPossible(event: StoredEvent, blobs: BlobStore): Promise<AnnotatedDocument | undefined> {
  try {
    const annotated = readJson<AnnotatedDocument>(event, await loadValue(event, blobs));
    return typeof annotated.document?.text === 'string' ? annotated : undefined;
  } catch (error) {
    if (!isOfContent(error)) throw error;
    return undefined;
  }
}
