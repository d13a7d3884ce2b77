import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeDurableDirectory } from '../files/durable-file.ts';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';
import { recoverTail, scanSegment, type TornTail } from './recovery.ts';
import { firstSequenceOf, type Segment, SparseIndex, segmentFileName } from './segment.ts';
import { createSegmentHeader, readSegmentHeader, SEGMENT_HEADER_BYTES } from './segment-header.ts';

/** The ending of files that are not finished; they are removed at opening. */
export const DRAFT_SUFFIX = '.tmp';

/** The segments of a topic's folder in order, the tail mended. */
export interface LoadedTopic {
  readonly segments: Segment[];
  readonly tornTail: TornTail | undefined;
}

/**
 * Reads what a topic's folder holds. Checks the last segment whole, those before it as far as `verifyBytes` reach.
 * @throws `ERR_LOG_CORRUPT` (corrupt) on damage
 */
export async function loadTopic(
  topic: string,
  directory: string,
  fs: FileSystem,
  verifyBytes: number,
): Promise<LoadedTopic> {
  const segments = await listSegments(directory, fs);
  const last = segments.at(-1);
  if (last === undefined) return { segments, tornTail: undefined };
  const tornTail = await recoverTail(topic, last, fs);
  let budget = verifyBytes;
  for (const segment of segments.slice(0, -1).reverse()) {
    budget -= segment.endOffset;
    if (budget >= 0) await verifySealed(segment, fs);
  }
  return { segments, tornTail };
}

/**
 * Makes the next segment of a topic: whole and durable under another name first, so that its header is never torn.
 * The file is open for writing.
 */
export async function createSegment(
  directory: string,
  firstSequence: number,
  createdMs: number,
  fs: FileSystem,
): Promise<{ segment: Segment; handle: OpenFile; salt: number }> {
  await makeDurableDirectory(fs, directory);
  const { bytes, salt } = createSegmentHeader(firstSequence, createdMs);
  const file = path.join(directory, segmentFileName(firstSequence));
  const draft = `${file}.${randomUUID()}${DRAFT_SUFFIX}`;
  const handle = await fs.open(draft, 'create');
  try {
    await handle.write(bytes, 0);
    await handle.sync();
    await fs.rename(draft, file);
    await fs.syncDirectory(directory);
  } catch (error) {
    await handle.close();
    await fs.remove(draft).catch(() => undefined);
    throw error;
  }
  return { segment: newSegment(file, firstSequence, firstSequence, SEGMENT_HEADER_BYTES), handle, salt };
}

/** Opens the last segment of a topic for writing. */
export async function openSegment(segment: Segment, fs: FileSystem): Promise<{ handle: OpenFile; salt: number }> {
  const handle = await fs.open(segment.file, 'write');
  try {
    return { handle, salt: (await readSegmentHeader(handle, segment.file)).salt };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Checks every batch of a segment that is no longer written. @throws `ERR_LOG_CORRUPT` (corrupt) on damage */
export async function verifySealed(segment: Segment, fs: FileSystem): Promise<void> {
  const handle = await fs.open(segment.file, 'read');
  try {
    const { bad, endSequence, endOffset, lastTimestampMs } = await scanSegment(segment, handle);
    if (bad !== undefined) throw logCorrupt(segment.file, bad.offset, bad.reason);
    if (endSequence !== segment.endSequence) throw gap(segment, endSequence, endOffset);
    segment.lastTimestampMs = lastTimestampMs;
  } finally {
    await handle.close();
  }
}

function gap(segment: Segment, endSequence: number, endOffset: number): Error {
  const reason = `it ends before event ${endSequence}, and the next segment starts with ${segment.endSequence}`;
  return logCorrupt(segment.file, endOffset, reason);
}

async function listSegments(directory: string, fs: FileSystem): Promise<Segment[]> {
  const names = (await fs.list(directory)).map(({ name }) => name).sort();
  for (const name of names) if (name.endsWith(DRAFT_SUFFIX)) await fs.remove(path.join(directory, name));
  const firsts = names.flatMap((name) => firstSequenceOf(name) ?? []);
  return Promise.all(
    firsts.map(async (first, index) => {
      const file = path.join(directory, segmentFileName(first));
      return newSegment(file, first, firsts[index + 1] ?? first, (await fs.sizeOf(file)) ?? 0);
    }),
  );
}

function newSegment(file: string, firstSequence: number, endSequence: number, endOffset: number): Segment {
  const index = new SparseIndex();
  const unknown = { lastTimestampMs: undefined, replacing: undefined };
  return { file, firstSequence, endSequence, endOffset, generation: 0, index, ...unknown };
}
