import {
  checkBatchSize,
  fromSequencePosition,
  logClosed,
  positionBeyondEnd,
  type ReadOptions,
  type StoredEvent,
  toSequencePosition,
} from '@cairn/events';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { logCorrupt, logTruncated, readRefused } from './errors.ts';
import { type Frame, FrameCursor, isBadFrame } from './frame-cursor.ts';
import { readRecord, recordBytes } from './record.ts';
import type { Segment } from './segment.ts';
import { readSegmentHeader, SEGMENT_HEADER_BYTES } from './segment-header.ts';
import type { Topic } from './topic.ts';

/** What a reader needs of its log. */
export interface ReaderContext {
  readonly fs: FileSystem;
  readonly isClosed: () => boolean;
}

const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Reads a topic by the laws of `EventLog.read`. Holds a file open only while it reads from it. */
export async function* readTopic(
  topic: Topic,
  options: ReadOptions,
  context: ReaderContext,
): AsyncGenerator<readonly StoredEvent[]> {
  const { wait = false, signal } = options;
  const maxBatchEvents = checkBatchSize(options.maxBatchEvents);
  let next = startOf(topic, options);
  while (!signal?.aborted) {
    if (context.isClosed()) throw logClosed();
    if (next < topic.endSequence) {
      if (next < topic.firstSequence) throw truncated(topic, next);
      for await (const batch of readSegment(topic, topic.segmentOf(next), next, maxBatchEvents, context)) {
        next += batch.length;
        yield batch;
        if (signal?.aborted) return;
      }
    } else if (wait) await topic.waiters.wait(signal);
    else return;
  }
}

/** The events of a batch that was read from a segment, from a number on. */
export function eventsOf(frame: Frame, topic: string, from: number): StoredEvent[] {
  const events: StoredEvent[] = [];
  let at = frame.payloadStart;
  for (let sequence = frame.firstSequence; sequence < frame.firstSequence + frame.count; sequence++) {
    if (sequence >= from) events.push(readRecord(frame.buffer, at, topic, sequence, frame.timestampMs));
    at += recordBytes(frame.buffer, at);
  }
  return events;
}

/** The sound batches of a segment up to its known end. @throws `ERR_LOG_CORRUPT` (corrupt) on damage */
export async function* framesOf(segment: Segment, from: number, handle: OpenFile): AsyncGenerator<Frame> {
  const { salt } = await readSegmentHeader(handle, segment.file);
  const { endOffset, endSequence } = segment;
  const start = segment.index.offsetBefore(from) ?? SEGMENT_HEADER_BYTES;
  const cursor = new FrameCursor(handle, salt, start, endOffset);
  let expected: number | undefined = start === SEGMENT_HEADER_BYTES ? segment.firstSequence : undefined;
  for (let step = await cursor.next(); step !== undefined; step = await cursor.next()) {
    if (isBadFrame(step)) throw logCorrupt(segment.file, step.offset, step.reason);
    if (expected !== undefined && step.firstSequence !== expected) {
      throw logCorrupt(
        segment.file,
        step.offset,
        `event ${expected} should stand here, but ${step.firstSequence} does`,
      );
    }
    segment.index.note(step.firstSequence, step.offset);
    expected = step.firstSequence + step.count;
    yield step;
  }
  if (expected !== endSequence) throw logCorrupt(segment.file, endOffset, `it ends before event ${endSequence}`);
}

function startOf(topic: Topic, { after, fromStart = false }: ReadOptions): number {
  if (after === undefined) {
    if (fromStart && topic.firstSequence > 0) throw truncated(topic, 0);
    return topic.firstSequence;
  }
  const next = fromSequencePosition(after) + 1;
  const { endSequence } = topic;
  if (next > endSequence) {
    throw positionBeyondEnd(topic.name, after, endSequence === 0 ? undefined : toSequencePosition(endSequence - 1));
  }
  if (next < topic.firstSequence) throw truncated(topic, next);
  return next;
}

async function* readSegment(
  topic: Topic,
  segment: Segment,
  from: number,
  maxBatchEvents: number,
  { fs, isClosed }: ReaderContext,
): AsyncGenerator<readonly StoredEvent[]> {
  const { generation } = segment;
  const handle = await openForReading(topic, segment, from, fs);
  if (handle === undefined) return;
  try {
    let events: StoredEvent[] = [];
    let bytes = 0;
    for await (const frame of framesOf(segment, from, handle)) {
      if (segment.generation !== generation) return;
      for (const event of eventsOf(frame, topic.name, from)) events.push(event);
      bytes += frame.payloadBytes;
      while (events.length >= maxBatchEvents || (bytes > MAX_BATCH_BYTES && events.length > 0)) {
        const batch = events.length <= maxBatchEvents ? events : events.slice(0, maxBatchEvents);
        events = events.slice(batch.length);
        if (events.length === 0) bytes = 0;
        yield batch;
        if (isClosed()) throw logClosed();
        if (segment.generation !== generation) return;
      }
    }
    if (events.length > 0) yield events;
  } finally {
    await handle.close();
  }
}

/** `undefined` when retention took the segment meanwhile: the caller looks again. */
async function openForReading(
  topic: Topic,
  segment: Segment,
  from: number,
  fs: FileSystem,
): Promise<OpenFile | undefined> {
  try {
    return await fs.open(segment.file, 'read');
  } catch (error) {
    if (from < topic.firstSequence) return undefined;
    throw readRefused(segment.file, error);
  }
}

function truncated(topic: Topic, sequence: number): Error {
  return logTruncated(topic.name, toSequencePosition(sequence), toSequencePosition(topic.firstSequence));
}
