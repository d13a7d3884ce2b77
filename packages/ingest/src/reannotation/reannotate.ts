import { throwIfAborted } from '@cairn/errors';
import {
  type BlobStore,
  type EventLog,
  HEADER,
  loadValue,
  offloadValue,
  type Position,
  type StoredEvent,
} from '@cairn/events';
import type { Gazetteer } from '../entities/gazetteer.ts';
import { type AnnotatedDocument, EVENT_TYPE, labelOf, readJson, TOPIC } from '../pipeline/contract.ts';
import { deriveEvent } from '../pipeline/derive.ts';
import { annotate } from '../pipeline/find-entities.ts';

/** What {@link reannotate} takes. */
export interface ReannotationOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly gazetteer: Gazetteer;
  /** The position of each dataset's topic that the gazetteer has its names from. */
  readonly names: () => Readonly<Record<string, string>>;
  readonly pause: () => Promise<void>;
  /** Told of the documents that were looked at, of all that there are. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const STAGE = 'reannotate';

/**
 * Looks for the names of now in every document, and appends a new event for each in which it finds others than were
 * recorded. Returns how many. Such an event changes a document that is there and never brings one back.
 * Cost: reads `document.entities` twice.
 */
export async function reannotate(options: ReannotationOptions): Promise<number> {
  const { log, onProgress, signal } = options;
  const latest = await latestEvents(log);
  let done = 0;
  let changed = 0;
  for await (const batch of log.read(TOPIC.entities)) {
    for (const event of batch) {
      throwIfAborted(signal);
      if (latest.get(event.headers.get(HEADER.documentId) ?? '') !== event.position) continue;
      if (await reannotateOne(event, options)) changed++;
      onProgress?.(++done, latest.size);
    }
    if (done >= latest.size) break;
  }
  return changed;
}

/** Where each document that is there was annotated last. */
async function latestEvents(log: EventLog): Promise<Map<string, Position>> {
  const latest = new Map<string, Position>();
  for await (const batch of log.read(TOPIC.entities)) {
    for (const { headers, position } of batch) {
      const uri = headers.get(HEADER.documentId);
      if (uri === undefined) continue;
      const isGone = headers.get(HEADER.eventType) === EVENT_TYPE.delete || headers.get(HEADER.erased) === 'true';
      if (isGone) latest.delete(uri);
      else latest.set(uri, position);
    }
  }
  return latest;
}

async function reannotateOne(event: StoredEvent, options: ReannotationOptions): Promise<boolean> {
  const { log, blobs } = options;
  const recorded = await readIfPossible(event, blobs);
  if (recorded === undefined) return false;
  const { document } = recorded;
  const names = options.names();
  const mentions = await annotate(document.text, labelOf(event), options);
  if (JSON.stringify(mentions) === JSON.stringify(recorded.mentions)) return false;
  const annotated: AnnotatedDocument = { document, mentions, names };
  const value = JSON.stringify(annotated);
  const made = deriveEvent({ source: event, stage: STAGE, type: EVENT_TYPE.reannotated, value });
  await log.append(TOPIC.entities, [await offloadValue(made, blobs)]);
  return true;
}

/** `undefined` for an event that was a dead letter when it came. */
async function readIfPossible(event: StoredEvent, blobs: BlobStore): Promise<AnnotatedDocument | undefined> {
  try {
    const annotated = readJson<AnnotatedDocument>(event, await loadValue(event, blobs));
    return typeof annotated.document?.text === 'string' ? annotated : undefined;
  } catch {
    return undefined;
  }
}
