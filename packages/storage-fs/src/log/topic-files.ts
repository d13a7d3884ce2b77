import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { closing, DRAFT_SUFFIX, makeDurableDirectory, removeDrafts } from '../files/durable-file.ts';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import { fromSafePath, toSafePath } from '../files/safe-name.ts';
import { beginsEpoch, type CutRange, type Cuts, endOfCut, nextEpoch } from './cuts.ts';
import { logCorrupt } from './errors.ts';
import { FRAME_HEADER_BYTES } from './frame.ts';
import { recoverTail, type SegmentScan, scanSegment, type TailRange, type TornTail } from './recovery.ts';
import {
  createSegmentHeader,
  firstSequenceOf,
  readSegmentHeader,
  SEGMENT_HEADER_BYTES,
  type Segment,
  SparseIndex,
  segmentFileName,
} from './segment.ts';
import type { SetAside } from './set-aside.ts';

/** The segments of a topic's folder in order, with the tail mended. */
export interface LoadedTopic {
  readonly segments: Segment[];
  readonly tornTail: TornTail | undefined;
}

export interface LoadContext {
  readonly fs: FileSystem;
  readonly nowMs: () => number;
  /** Bytes of the segments before the last one to check, newest first. */
  readonly verifyBytes: number;
  readonly cuts: Cuts;
  readonly aside: SetAside;
  /** One past the last number that a consumer group of the topic holds; 0 without one. */
  readonly heldSequence: number;
  /** First number of its last segment, as the log has recorded it; `undefined` where it has not. */
  readonly lastSegment: number | undefined;
  /**
   * False when nothing may be written: whatever needs mending stays as it is on the medium, and the topic looks as if
   * it were mended; its last segment then has no file, and is empty.
   */
  readonly mends: boolean;
}

/**
 * Loads a topic's folder. Checks the last segment whole, those before it as far as `verifyBytes` reach. What is missing
 * at the end, because a write never ended or because consumers know of more, is recorded as a cut, and the topic goes
 * on in a segment of the next epoch. Interrupted at any step, it ends alike the next time.
 * @throws `ERR_LOG_CORRUPT` (corrupt) on damage
 */
export async function loadTopic(topic: string, directory: string, given: LoadContext): Promise<LoadedTopic> {
  const { fs, verifyBytes, cuts, lastSegment } = given;
  await removeDrafts(fs, directory);
  const segments = await listSegments(directory, fs);
  // Readers of the topic may hold any number of a missing segment.
  const missing = missingSegment(lastSegment, segments, cuts.resumesAt(topic));
  const context = missing === undefined ? given : { ...given, heldSequence: Math.max(given.heldSequence, missing + 1) };
  await setAsideHeadless(topic, segments, context);
  await endAtCuts(topic, segments, context);
  const tornTail = await cutTail(topic, segments, context);
  let budget = verifyBytes;
  for (const segment of segments.slice(0, -1).reverse()) {
    budget -= segment.endOffset;
    if (budget >= 0) await verifySealed(segment, fs);
  }
  await beginEpoch(topic, directory, segments, context);
  return { segments, tornTail };
}

/**
 * Returns the first number of the last segment of a topic if it is recorded but missing, and no later cut says so; else
 * `undefined`.
 */
export function missingSegment(
  recorded: number | undefined,
  segments: readonly Segment[],
  resumesAt: number,
): number | undefined {
  if (recorded === undefined || resumesAt > recorded) return undefined;
  const last = segments.at(-1);
  return last === undefined || last.firstSequence < recorded ? recorded : undefined;
}

/** A last segment too short for a header and a batch holds no event. With a bad header it is a torn tail. */
async function setAsideHeadless(
  topic: string,
  segments: Segment[],
  { fs, cuts, aside, heldSequence, mends }: LoadContext,
): Promise<void> {
  const last = segments.at(-1);
  if (last === undefined || last.endOffset > SEGMENT_HEADER_BYTES + FRAME_HEADER_BYTES) return;
  if (await hasSoundHeader(last, fs)) return;
  const endSequence = lastEventEnd(topic, { ...last, endSequence: last.firstSequence }, cuts);
  const resumesAt = Math.max(nextEpoch(Math.max(last.firstSequence, heldSequence)), cuts.resumesAt(topic));
  const reason = 'the segment header is cut short or fails its checksum';
  const cut = { topic, endSequence, resumesAt, bytes: last.endOffset, reason };
  segments.pop();
  if (!mends) return cuts.note({ ...cut, keptIn: undefined });
  const keptIn = await aside.reserve(asideName(topic, last));
  await cuts.add({ ...cut, keptIn });
  await aside.moveFile(last.file, keptIn);
}

async function hasSoundHeader(segment: Segment, fs: FileSystem): Promise<boolean> {
  try {
    await closing(await fs.open(segment.file, 'read'), (handle) => readSegmentHeader(handle, segment.file));
    return true;
  } catch (error) {
    if (isCodedError(error) && error.code === 'ERR_LOG_CORRUPT') return false;
    throw error;
  }
}

/** Ends a segment before a cut where the cut begins. If the record of the cut was lost, the start of an epoch tells. */
async function endAtCuts(topic: string, segments: readonly Segment[], context: LoadContext): Promise<void> {
  const { fs, cuts } = context;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    const { firstSequence: resumesAt } = segments[index + 1];
    const cut = cuts.before(topic, resumesAt);
    if (cut !== undefined) {
      segment.endSequence = Math.max(segment.firstSequence, endOfCut(cut));
    } else if (beginsEpoch(resumesAt)) {
      segment.endSequence = (await scanFile(segment, fs)).endSequence;
      const lost = { bytes: 0, keptIn: undefined, reason: 'the record of an earlier cut is lost' };
      await record({ topic, endSequence: segment.endSequence, resumesAt, ...lost }, context);
    }
  }
}

async function record(cut: CutRange, { cuts, mends }: LoadContext): Promise<void> {
  if (mends) await cuts.add(cut);
  else cuts.note(cut);
}

async function scanFile(segment: Segment, fs: FileSystem): Promise<SegmentScan> {
  return closing(await fs.open(segment.file, 'read'), (handle) => scanSegment(segment, handle));
}

async function cutTail(
  topic: string,
  segments: readonly Segment[],
  context: LoadContext,
): Promise<TornTail | undefined> {
  const last = segments.at(-1);
  const { fs, cuts, aside, heldSequence, lastSegment, mends } = context;
  const note = async (segment: Segment, { offset, size, reason }: TailRange, handle: OpenFile): Promise<void> => {
    const endSequence = lastEventEnd(topic, segment, cuts);
    const resumesAt = epochAfter(topic, segment, context);
    const cut = { topic, endSequence, resumesAt, bytes: size - offset, reason };
    if (!mends) return cuts.note({ ...cut, keptIn: undefined });
    const keptIn = await aside.copyRange(handle, offset, size, `${asideName(topic, segment)}.${offset}`);
    try {
      await cuts.add({ ...cut, keptIn });
    } catch (error) {
      // No copy stays: recording is tried again.
      await aside.remove(keptIn);
      throw error;
    }
  };
  const torn = last && (await recoverTail(topic, last, fs, (range, handle) => note(last, range, handle), mends));
  const endSequence = last === undefined ? 0 : lastEventEnd(topic, last, cuts);
  if (heldSequence > Math.max(endSequence, cuts.resumesAt(topic))) {
    const isMissing = missingSegment(lastSegment, segments, cuts.resumesAt(topic)) !== undefined;
    const reason = isMissing ? 'the last segment is missing' : 'consumers have read events that are not there';
    const resumesAt = epochAfter(topic, last, context);
    await record({ topic, endSequence, resumesAt, bytes: 0, keptIn: undefined, reason }, context);
  }
  return torn;
}

function asideName(topic: string, segment: Segment): string {
  return `${toSafePath(topic).replaceAll('/', '')}.${path.basename(segment.file)}`;
}

/** Returns the number behind the last event up to the end of a segment, which may be empty and begin behind a cut. */
function lastEventEnd(topic: string, segment: Segment, cuts: Cuts): number {
  if (segment.endSequence > segment.firstSequence) return segment.endSequence;
  const before = cuts.before(topic, segment.firstSequence);
  return before === undefined ? segment.firstSequence : endOfCut(before);
}

/** Returns the epoch behind every number that anybody can hold; that of a cut that was recorded and not made. */
function epochAfter(topic: string, last: Segment | undefined, { cuts, heldSequence }: LoadContext): number {
  const [endSequence, recorded] = [last?.endSequence ?? 0, cuts.resumesAt(topic)];
  const next = nextEpoch(Math.max(endSequence, heldSequence));
  return recorded > (last?.firstSequence ?? 0) ? Math.max(recorded, next) : next;
}

/** Makes the segment that a recorded cut asks for, if it is missing. */
async function beginEpoch(
  topic: string,
  directory: string,
  segments: Segment[],
  { fs, cuts, nowMs, mends }: LoadContext,
): Promise<void> {
  const resumesAt = cuts.resumesAt(topic);
  if (resumesAt <= (segments.at(-1)?.firstSequence ?? 0)) return;
  if (!mends) {
    const file = path.join(directory, segmentFileName(resumesAt));
    segments.push(newSegment(file, resumesAt, resumesAt, SEGMENT_HEADER_BYTES));
    return;
  }
  const { segment, handle } = await createSegment(directory, resumesAt, nowMs(), fs);
  await handle.close();
  segments.push(segment);
}

/**
 * Makes the next segment of a topic, empty or of the batches of another: whole and durable under another name first, so
 * that its header is never torn. The file is open for writing.
 */
export async function createSegment(
  directory: string,
  firstSequence: number,
  createdMs: number,
  fs: FileSystem,
  batches?: { readonly bytes: Uint8Array; readonly salt: number },
): Promise<{ segment: Segment; handle: OpenFile; salt: number }> {
  await makeDurableDirectory(fs, directory);
  const { bytes, salt } = createSegmentHeader(directory, firstSequence, createdMs, batches?.salt);
  const file = path.join(directory, segmentFileName(firstSequence));
  const draft = `${file}.${randomUUID()}${DRAFT_SUFFIX}`;
  const handle = await fs.open(draft, 'create');
  try {
    await handle.write(bytes, 0);
    if (batches !== undefined) await handle.write(batches.bytes, bytes.length);
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
  const { bad, endSequence, endOffset, lastTimestampMs } = await scanFile(segment, fs);
  if (bad !== undefined) throw logCorrupt(segment.file, bad.offset, bad.reason);
  if (endSequence !== segment.endSequence) {
    const reason = `it ends before event ${endSequence}, and the next segment starts with ${segment.endSequence}`;
    throw logCorrupt(segment.file, endOffset, reason);
  }
  segment.lastTimestampMs = lastTimestampMs;
}

export async function listSegments(directory: string, fs: FileSystem): Promise<Segment[]> {
  const names = (await fs.list(directory)).map(({ name }) => name).sort();
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

export interface TopicFolder {
  readonly topic: string;
  readonly directory: string;
}

export function topicsFolder(directory: string): string {
  return path.join(directory, 'topics');
}

/** Lists the topics of a log by their folders; anything that is no topic is skipped. */
export async function listTopics(topicsDirectory: string, fs: FileSystem): Promise<TopicFolder[]> {
  return (await fs.list(topicsDirectory)).flatMap(({ name, isDirectory }) => {
    const topic = isDirectory ? fromSafePath(name) : undefined;
    return topic === undefined ? [] : [{ topic, directory: path.join(topicsDirectory, name) }];
  });
}
