import { CodedError } from '@cairn/errors';
import { HEADER, loadValue, type Position, type StoredEvent } from '@cairn/events';
import type { DocumentChange, SearchDocument } from '@cairn/search';
import { documentLabel } from '../corrections/correction.ts';
import {
  type AnnotatedDocument,
  type Deletion,
  documentOf,
  EVENT_TYPE,
  INGEST_HEADER,
  isDeletion,
  labelOf,
  readDeletion,
  readJson,
  TOPIC,
} from '../pipeline/contract.ts';
import { toSearchDocument } from '../pipeline/to-search-document.ts';
import { type FailedEvent, failuresOf } from '../projector/dead-letter.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { isConfigured, type SearchProjection, storedDocument } from './context.ts';

/** Carries `document.entities` into the index of documents, with the corrections that hold. */
export function createDocumentsTarget(projection: SearchProjection): ProjectionTarget {
  const { index } = projection;
  return {
    start: async () => index.positions()[TOPIC.entities],
    flush: () => index.flush(),
    apply: async (events, upTo, signal) => {
      await awaitVoidings(events, projection, signal);
      return projection.work.run(() => applyBatch(events, upTo, projection));
    },
  };
}

/** Before a deletion goes what voids the corrections of its document, so that a replay does as was done. */
async function awaitVoidings(
  events: readonly StoredEvent[],
  { corrections, clock }: SearchProjection,
  signal: AbortSignal,
): Promise<void> {
  for (const event of events) {
    const id = event.headers.get(INGEST_HEADER.voiding);
    if (id === undefined || (await corrections.awaitVoiding(id, clock, signal))) continue;
    const message = `the corrections have not reached the event ${id}, which a deletion waits for`;
    throw new CodedError({ code: 'ERR_PROJECTION_BEHIND', kind: 'unavailable', message });
  }
}

async function applyBatch(
  events: readonly StoredEvent[],
  upTo: Position,
  projection: SearchProjection,
): Promise<FailedEvent[]> {
  const changes: DocumentChange[] = [];
  const taken = isConfigured(projection, projection.documentIndex) ? events : [];
  const failed = await failuresOf(taken, async (event) => {
    await projection.pause();
    changes.push(...(await toChanges(event, changes, projection)));
  });
  await projection.index.apply(changes, { [TOPIC.entities]: upTo });
  return failed;
}

async function toChanges(
  event: StoredEvent,
  before: readonly DocumentChange[],
  projection: SearchProjection,
): Promise<DocumentChange[]> {
  const { blobs, corrections, documentIndex: index, generator } = projection;
  const value = await loadValue(event, blobs);
  if (isDeletion(event)) return deletion(documentOf(event), readDeletion(event, value), before, projection);
  const annotated = readJson<AnnotatedDocument>(event, value);
  const isRepeat = event.headers.get(HEADER.eventType) === EVENT_TYPE.reannotated;
  if (isRepeat && (await currentDocument(annotated.document.uri, before, projection)) === undefined) return [];
  const document = corrections.apply(toSearchDocument(annotated, labelOf(event), generator));
  return [{ type: 'put', index, document }];
}

/** A document is one thing under one label: it goes when the writer could see that label, else it stays whole. */
async function deletion(
  id: string,
  { labels }: Deletion,
  before: readonly DocumentChange[],
  projection: SearchProjection,
): Promise<DocumentChange[]> {
  const remove: DocumentChange = { type: 'delete', index: projection.documentIndex, id };
  if (labels === undefined) return [remove];
  const current = await currentDocument(id, before, projection);
  return current !== undefined && labels.includes(documentLabel(current)) ? [remove] : [];
}

async function currentDocument(
  id: string,
  before: readonly DocumentChange[],
  projection: SearchProjection,
): Promise<SearchDocument | undefined> {
  const earlier = before.findLast((change) => (change.type === 'put' ? change.document.uri : change.id) === id);
  if (earlier === undefined) return storedDocument(projection, id);
  return earlier.type === 'put' ? earlier.document : undefined;
}
