import { loadValue, type Position, type StoredEvent } from '@cairn/events';
import type { DocumentChange, SearchDocument } from '@cairn/search';
import { applyRecorded } from '../corrections/correction.ts';
import { TOPIC } from '../pipeline/contract.ts';
import { type FailedEvent, failuresOf } from '../projector/dead-letter.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { type SearchProjection, storedDocument } from './context.ts';

/** Carries `document.corrections` into the index of documents, and keeps them for documents that are indexed later. */
export function createCorrectionsTarget(projection: SearchProjection): ProjectionTarget {
  const { index, corrections, log, blobs } = projection;
  return {
    start: async () => {
      const position = index.positions()[TOPIC.corrections];
      await corrections.load(log, blobs, position);
      return position;
    },
    flush: () => index.flush(),
    apply: (events, upTo) => projection.work.run(() => applyBatch(events, upTo, projection)),
  };
}

async function applyBatch(
  events: readonly StoredEvent[],
  upTo: Position,
  projection: SearchProjection,
): Promise<FailedEvent[]> {
  const corrected = new Map<string, SearchDocument>();
  const failed = await failuresOf(events, async (event) => {
    await projection.pause();
    await correct(event, corrected, projection);
  });
  const changes = [...corrected.values()].map(
    (document): DocumentChange => ({ type: 'put', index: projection.documentIndex, document }),
  );
  await projection.index.apply(changes, { [TOPIC.corrections]: upTo });
  return failed;
}

async function correct(
  event: StoredEvent,
  corrected: Map<string, SearchDocument>,
  projection: SearchProjection,
): Promise<void> {
  const correction = await projection.corrections.take(event, await loadValue(event, projection.blobs));
  if (correction === undefined) return;
  const uri = correction.documentUri;
  const current = corrected.get(uri) ?? (await storedDocument(projection, uri));
  const changed = current === undefined ? undefined : applyRecorded(current, correction);
  if (changed !== undefined) corrected.set(uri, changed);
}
