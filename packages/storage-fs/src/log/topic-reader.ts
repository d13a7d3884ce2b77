import { isCodedError } from '@cairn/errors';
import type { ReadOptions, StoredEvent } from '@cairn/events';
import {
  checkBatchSize,
  fromSequencePosition,
  logClosed,
  positionBeyondEnd,
  toSequencePosition,
} from '@cairn/events/experimental';
import type { FileSystem } from '../files/file-system.ts';
import { logTruncated, readRefused } from './errors.ts';
import { eventsOf } from './record.ts';
import type { Segment } from './segment.ts';
import { openSegmentReader, type SegmentReader } from './segment-reader.ts';
import type { Topic } from './topic.ts';

export interface ReaderContext {
  readonly fs: FileSystem;
  readonly isClosed: () => boolean;
}

const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Reads a topic by the laws of `EventLog.read`. Holds a file open only while it reads from it. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the laws of reading, in their order
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
    next = topic.skipCut(next);
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

function startOf(topic: Topic, { after, fromStart = false }: ReadOptions): number {
  if (after === undefined) {
    if (fromStart && topic.firstSequence > 0 && !topic.startsAtCut) throw truncated(topic, 0);
    return topic.firstSequence;
  }
  const next = fromSequencePosition(after) + 1;
  const { endSequence, lastEventEnd } = topic;
  if (next > endSequence) {
    throw positionBeyondEnd(topic.name, after, lastEventEnd === 0 ? undefined : toSequencePosition(lastEventEnd - 1));
  }
  if (next >= topic.firstSequence) return next;
  if (topic.startsAtCut) return topic.firstSequence;
  throw truncated(topic, next);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every batch that is read comes through here
async function* readSegment(
  topic: Topic,
  segment: Segment,
  from: number,
  maxBatchEvents: number,
  { fs, isClosed }: ReaderContext,
): AsyncGenerator<readonly StoredEvent[]> {
  const reader = await openForReading(topic, segment, from, fs);
  if (reader === undefined) return;
  try {
    let events: StoredEvent[] = [];
    let bytes = 0;
    for await (const frame of reader.frames(from)) {
      for (const event of eventsOf(frame, topic.name, from)) events.push(event);
      bytes += frame.payloadBytes;
      while (events.length >= maxBatchEvents || (bytes > MAX_BATCH_BYTES && events.length > 0)) {
        const batch = events.length <= maxBatchEvents ? events : events.slice(0, maxBatchEvents);
        events = events.slice(batch.length);
        if (events.length === 0) bytes = 0;
        yield batch;
        if (isClosed()) throw logClosed();
        if (!reader.isCurrent()) return;
      }
    }
    if (events.length > 0) yield events;
  } catch (error) {
    throw isCodedError(error) ? error : readRefused(segment.file, error);
  } finally {
    await reader.close();
  }
}

/** Returns `undefined` when retention took the segment meanwhile: the caller looks again. */
async function openForReading(
  topic: Topic,
  segment: Segment,
  from: number,
  fs: FileSystem,
): Promise<SegmentReader | undefined> {
  try {
    return await openSegmentReader(segment, fs);
  } catch (error) {
    if (from < topic.firstSequence) return undefined;
    throw isCodedError(error) ? error : readRefused(segment.file, error);
  }
}

function truncated(topic: Topic, sequence: number): Error {
  return logTruncated(topic.name, toSequencePosition(sequence), toSequencePosition(topic.firstSequence));
}
