import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { checkArray, isCodedError } from '@cairn/errors';
import { type BlobInfo, type Event, HEADER, type Position, type StoredEvent, valueBlob } from '@cairn/events';
import { closing, DRAFT_SUFFIX } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { encodeBatch, numberBatch } from './batch.ts';
import { writeRefused } from './errors.ts';
import { FRAME_HEADER_BYTES, type Frame, writeFrameHeader } from './frame.ts';
import { eventsOf } from './record.ts';
import { createSegmentHeader, SEGMENT_HEADER_BYTES, type Segment, SparseIndex } from './segment.ts';
import { openSegmentReader } from './segment-reader.ts';

/** An event whose value was erased. */
export interface ErasedEvent {
  readonly position: Position;
  /** The blob that held the value; this event no longer refers to it. */
  readonly blob: BlobInfo | undefined;
}

/** Picks the events to erase: `true`, or the names of headers that go with the value. */
export type EventPredicate = (event: StoredEvent) => boolean | readonly string[];

/**
 * Erases the values of the picked events of a sealed segment: the file is written anew beside the old one, made
 * durable, and takes its name. A segment without such an event stays as it is.
 */
export async function eraseInSegment(
  topic: string,
  segment: Segment,
  picks: EventPredicate,
  fs: FileSystem,
): Promise<ErasedEvent[]> {
  const erased = await findErasable(topic, segment, picks, fs);
  if (erased.length === 0) return [];
  const chosen = new Map(erased.map(({ position, dropped }) => [position, dropped]));
  const draft = `${segment.file}.${randomUUID()}${DRAFT_SUFFIX}`;
  try {
    const rewritten = await rewrite(topic, segment, chosen, draft, fs);
    await replace(segment, draft, rewritten, fs);
  } catch (error) {
    await fs.remove(draft).catch(() => undefined);
    throw isCodedError(error) ? error : writeRefused(segment.file, error);
  }
  await fs.syncDirectory(path.dirname(segment.file));
  return erased.map(({ position, blob }) => ({ position, blob }));
}

interface Erasable extends ErasedEvent {
  /** Names of the headers to drop. */
  readonly dropped: readonly string[];
}

type Chosen = ReadonlyMap<Position, readonly string[]>;

async function findErasable(
  topic: string,
  segment: Segment,
  picks: EventPredicate,
  fs: FileSystem,
): Promise<Erasable[]> {
  const found: Erasable[] = [];
  for await (const frame of allFrames(segment, fs)) {
    for (const event of eventsOf(frame, topic)) {
      const picked = event.headers.has(HEADER.erased) ? false : picks(event);
      if (picked === false) continue;
      if (picked !== true) checkArray(picked, 'the headers to erase');
      found.push({ position: event.position, blob: valueBlob(event), dropped: picked === true ? [] : picked });
    }
  }
  return found;
}

type Rewritten = Pick<Segment, 'endOffset' | 'index'>;

async function rewrite(
  topic: string,
  segment: Segment,
  chosen: Chosen,
  draft: string,
  fs: FileSystem,
): Promise<Rewritten> {
  return closing(await fs.open(draft, 'create'), async (handle) => {
    const { firstSequence, lastTimestampMs, file } = segment;
    const { bytes, salt } = createSegmentHeader(path.dirname(file), firstSequence, lastTimestampMs ?? 0);
    await handle.write(bytes, 0);
    const index = new SparseIndex();
    let offset = SEGMENT_HEADER_BYTES;
    for await (const frame of allFrames(segment, fs)) {
      index.note(frame.firstSequence, offset);
      const rewritten = rewriteFrame(topic, frame, chosen, salt);
      await handle.write(rewritten, offset);
      offset += rewritten.length;
    }
    await handle.sync();
    return { endOffset: offset, index };
  });
}

/** Returns the same batch under the new file's salt, with the chosen values empty. */
function rewriteFrame(topic: string, frame: Frame, chosen: Chosen, salt: number): Buffer {
  const events = eventsOf(frame, topic);
  if (!events.some(({ position }) => chosen.has(position))) {
    const start = frame.payloadStart - FRAME_HEADER_BYTES;
    const copy = Buffer.from(frame.buffer.subarray(start, frame.payloadStart + frame.payloadBytes));
    writeFrameHeader(copy, frame, salt);
    return copy;
  }
  const batch = encodeBatch(
    events.map((event) => {
      const dropped = chosen.get(event.position);
      return dropped === undefined ? event : eraseEvent(event, dropped);
    }),
    Number.POSITIVE_INFINITY,
  );
  numberBatch(batch, frame, salt);
  return batch.frame;
}

function eraseEvent(event: Event, dropped: readonly string[]): Event {
  const kept = [HEADER.valueBlob, ...dropped].reduce((headers, name) => headers.with(name), event.headers);
  return { ...event, headers: kept.with(HEADER.erased, 'true'), value: new Uint8Array(0) };
}

/** Readers that open the segment meanwhile wait; those that have it open keep the old file until the next batch. */
async function replace(segment: Segment, draft: string, by: Rewritten, fs: FileSystem): Promise<void> {
  const renaming = fs.rename(draft, segment.file);
  segment.replacing = renaming.catch(() => undefined);
  try {
    await renaming;
    Object.assign(segment, by);
    segment.generation++;
  } finally {
    segment.replacing = undefined;
  }
}

async function* allFrames(segment: Segment, fs: FileSystem): AsyncGenerator<Frame> {
  const reader = await openSegmentReader(segment, fs);
  try {
    yield* reader.frames(segment.firstSequence);
  } finally {
    await reader.close();
  }
}
