import type { CodedError } from '@cairn/errors';
import { closing } from '../files/durable-file.ts';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import {
  type BadFrame,
  FRAME_HEADER_BYTES,
  type Frame,
  FrameCursor,
  findFrameMagic,
  isBadFrame,
  readFrameHeader,
} from './frame.ts';
import { readSegmentHeader, SEGMENT_HEADER_BYTES, type Segment } from './segment.ts';

/** A tail that was cut at opening: a write that never ended. */
export interface TornTail {
  readonly topic: string;
  readonly file: string;
  /** End of the file now. */
  readonly offset: number;
  readonly bytesCut: number;
}

/** Contents of the sound batches at the start of a segment. */
export interface SegmentScan {
  readonly endSequence: number;
  readonly endOffset: number;
  readonly lastTimestampMs: number | undefined;
  /** The first bad batch, at `endOffset`. */
  readonly bad: BadFrame | undefined;
}

/**
 * Checks every batch of a segment and fills its index. Visits the sound ones up to the first bad one.
 * @throws `ERR_LOG_CORRUPT` when the numbers of the events are not consecutive
 */
export async function scanSegment(
  segment: Segment,
  handle: OpenFile,
  visit?: (frame: Frame) => void,
): Promise<SegmentScan> {
  const { salt, firstSequence } = await readSegmentHeader(handle, segment.file);
  if (firstSequence !== segment.firstSequence) {
    throw logCorrupt(segment.file, 16, `its header names ${firstSequence} as the first event`);
  }
  const cursor = new FrameCursor(handle, salt, SEGMENT_HEADER_BYTES, await handle.size());
  let scan: SegmentScan = {
    endSequence: firstSequence,
    endOffset: SEGMENT_HEADER_BYTES,
    lastTimestampMs: undefined,
    bad: undefined,
  };
  for (let step = await cursor.next(); step !== undefined; step = await cursor.next()) {
    if (isBadFrame(step)) return { ...scan, bad: step };
    if (step.firstSequence !== scan.endSequence) throw misnumbered(segment, step, scan.endSequence);
    segment.index.note(step.firstSequence, step.offset);
    visit?.(step);
    scan = {
      endSequence: scan.endSequence + step.count,
      endOffset: step.offset + FRAME_HEADER_BYTES + step.payloadBytes,
      lastTimestampMs: step.timestampMs,
      bad: undefined,
    };
  }
  return scan;
}

/** A torn tail: the bytes of a file from `offset` to `size`, and why they hold no whole batch. */
export interface TailRange {
  readonly offset: number;
  readonly size: number;
  readonly reason: string;
}

/** Called with a torn tail of an open file before it is cut. */
export type NoteTail = (tail: TailRange, handle: OpenFile) => Promise<void>;

/**
 * Scans the last segment of a topic, fills in its end, and cuts a torn tail; without `cuts` it stays in the file.
 * @throws `ERR_LOG_CORRUPT` when the bad part was durable once: a later batch follows it
 */
export async function recoverTail(
  topic: string,
  segment: Segment,
  fs: FileSystem,
  note: NoteTail,
  cuts: boolean,
): Promise<TornTail | undefined> {
  return closing(await fs.open(segment.file, cuts ? 'write' : 'read'), async (handle) => {
    const { bad, ...end } = await scanSegment(segment, handle);
    Object.assign(segment, end);
    const size = await handle.size();
    if (bad !== undefined) {
      const later = await findLaterBatch(segment.endSequence, segment.file, handle, bad);
      if (later !== undefined) {
        throw logCorrupt(segment.file, bad.offset, `${bad.reason}, and a later batch stands at ${later}`);
      }
      await note({ offset: end.endOffset, size, reason: bad.reason }, handle);
      if (cuts) await handle.truncate(end.endOffset);
    }
    if (cuts) await handle.sync();
    if (bad === undefined || !cuts) return undefined;
    return { topic, file: segment.file, offset: end.endOffset, bytesCut: size - end.endOffset };
  });
}

/**
 * Finds a batch behind a bad one that was written when the bad one was durable: proof of damage rather than a torn
 * write. `undefined` when there is none.
 */
export async function findLaterBatch(
  endSequence: number,
  file: string,
  handle: OpenFile,
  bad: BadFrame,
): Promise<number | undefined> {
  const { salt } = await readSegmentHeader(handle, file);
  const rest = Buffer.allocUnsafe((await handle.size()) - bad.offset);
  await handle.read(rest, bad.offset);
  for (let at = findFrameMagic(rest, 1); at >= 0; at = findFrameMagic(rest, at + 1)) {
    const later = readFrameHeader(rest, at, salt);
    if (later !== undefined && later.durableSequence > endSequence) return bad.offset + at;
  }
  return undefined;
}

export function misnumbered(segment: Segment, frame: Frame, expected: number): CodedError {
  return logCorrupt(segment.file, frame.offset, `event ${expected} should stand here, but ${frame.firstSequence} does`);
}
