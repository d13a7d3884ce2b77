import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import { type Frame, FrameCursor, isBadFrame } from './frame.ts';
import { misnumbered } from './recovery.ts';
import { readSegmentHeader, SEGMENT_HEADER_BYTES, type Segment } from './segment.ts';

export interface SegmentReader {
  /**
   * Yields the sound batches from the one with a given event up to the end at opening.
   * @throws `ERR_LOG_CORRUPT` (corrupt) on damage
   */
  frames(from: number): AsyncGenerator<Frame>;
  /** False once the file was replaced: what is read from then on may have been erased. */
  isCurrent(): boolean;
  close(): Promise<void>;
}

/** Opens a segment. The known state and the file opened belong together, even while it is being replaced. */
export async function openSegmentReader(segment: Segment, fs: FileSystem): Promise<SegmentReader> {
  for (;;) {
    await segment.replacing;
    const known = { ...segment };
    const handle = await fs.open(segment.file, 'read');
    const isCurrent = (): boolean => segment.generation === known.generation && segment.replacing === undefined;
    if (isCurrent()) {
      return {
        frames: (from) => framesOf(known, handle, from, isCurrent),
        isCurrent,
        close: () => handle.close(),
      };
    }
    await handle.close();
  }
}

async function* framesOf(
  segment: Segment,
  handle: OpenFile,
  from: number,
  isCurrent: () => boolean,
): AsyncGenerator<Frame> {
  const { salt } = await readSegmentHeader(handle, segment.file);
  const start = segment.index.offsetBefore(from) ?? SEGMENT_HEADER_BYTES;
  const cursor = new FrameCursor(handle, salt, start, segment.endOffset);
  let expected = start === SEGMENT_HEADER_BYTES ? segment.firstSequence : undefined;
  for (let step = await cursor.next(); step !== undefined; step = await cursor.next()) {
    if (isBadFrame(step)) throw logCorrupt(segment.file, step.offset, step.reason);
    if (expected !== undefined && step.firstSequence !== expected) throw misnumbered(segment, step, expected);
    segment.index.note(step.firstSequence, step.offset);
    expected = step.firstSequence + step.count;
    if (!isCurrent()) return;
    if (expected > from) yield step;
  }
  if (expected === segment.endSequence) return;
  throw logCorrupt(segment.file, segment.endOffset, `it ends before event ${segment.endSequence}`);
}
