import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import { FRAME_HEADER_BYTES, findFrameMagic, readFrameHeader } from './frame.ts';
import { type BadFrame, FrameCursor, isBadFrame } from './frame-cursor.ts';
import type { Segment } from './segment.ts';
import { readSegmentHeader, SEGMENT_HEADER_BYTES } from './segment-header.ts';

/** A tail that was cut at opening: a write that never ended. */
export interface TornTail {
  readonly topic: string;
  readonly file: string;
  /** Where the file ends now. */
  readonly offset: number;
  readonly bytesCut: number;
}

/**
 * Checks every batch of a segment and fills in what its {@link Segment} lacks. Returns where the sound batches end, with
 * the bad one there, if any.
 * @throws `ERR_LOG_CORRUPT` when the numbers of the events do not follow on each other
 */
export async function scanSegment(segment: Segment, handle: OpenFile): Promise<BadFrame | undefined> {
  const { salt, firstSequence } = await readSegmentHeader(handle, segment.file);
  if (firstSequence !== segment.firstSequence)
    throw logCorrupt(segment.file, 16, 'its header names another first event');
  const size = await handle.size();
  const cursor = new FrameCursor(handle, salt, SEGMENT_HEADER_BYTES, size);
  segment.endSequence = firstSequence;
  segment.endOffset = SEGMENT_HEADER_BYTES;
  for (let step = await cursor.next(); step !== undefined; step = await cursor.next()) {
    if (isBadFrame(step)) return step;
    if (step.firstSequence !== segment.endSequence) throw misnumbered(segment, step.offset, step.firstSequence);
    segment.index.note(step.firstSequence, step.offset);
    segment.endSequence += step.count;
    segment.endOffset = step.offset + FRAME_HEADER_BYTES + step.payloadBytes;
    segment.lastTimestampMs = step.timestampMs;
  }
  return undefined;
}

/**
 * Scans the last segment of a topic and cuts a torn tail.
 * @throws `ERR_LOG_CORRUPT` when what is bad was durable once: a batch written later stands behind it
 */
export async function recoverTail(topic: string, segment: Segment, fs: FileSystem): Promise<TornTail | undefined> {
  const handle = await fs.open(segment.file, 'write');
  try {
    const bad = await scanSegment(segment, handle);
    if (bad !== undefined) await refuseDamage(segment, handle, bad);
    const size = await handle.size();
    if (bad !== undefined) await handle.truncate(segment.endOffset);
    await handle.sync();
    if (bad === undefined) return undefined;
    return { topic, file: segment.file, offset: segment.endOffset, bytesCut: size - segment.endOffset };
  } finally {
    await handle.close();
  }
}

async function refuseDamage(segment: Segment, handle: OpenFile, bad: BadFrame): Promise<void> {
  const { salt } = await readSegmentHeader(handle, segment.file);
  const rest = Buffer.allocUnsafe((await handle.size()) - bad.offset);
  await handle.read(rest, bad.offset);
  for (let at = findFrameMagic(rest, 1); at >= 0; at = findFrameMagic(rest, at + 1)) {
    const later = readFrameHeader(rest, at, salt);
    if (later === undefined || later.durableSequence <= segment.endSequence) continue;
    throw logCorrupt(segment.file, bad.offset, `${bad.reason}, and a later batch stands at ${bad.offset + at}`);
  }
}

function misnumbered(segment: Segment, offset: number, found: number): Error {
  return logCorrupt(segment.file, offset, `event ${segment.endSequence} should stand here, but ${found} does`);
}
