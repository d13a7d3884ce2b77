import path from 'node:path';
import { checkFunction, isCodedError, readableOnce } from '@cairn/errors';
import type { LogCut, StoredEvent } from '@cairn/events';
import { fromSequencePosition } from '@cairn/events/experimental';
import { closing } from '../files/durable-file.ts';
import { checkStorageOptions, type FileSystem, nodeFileSystem } from '../files/file-system.ts';
import { toSafePath } from '../files/safe-name.ts';
import { beginsEpoch, endOfCut, readLogCuts } from './cuts.ts';
import type { Frame } from './frame.ts';
import { LAST_SEGMENTS_FILE, LastSegments } from './last-segments.ts';
import { Offsets } from './offsets.ts';
import { eventsOf } from './record.ts';
import { findLaterBatch, scanSegment } from './recovery.ts';
import { type Segment, SparseIndex, segmentFileName } from './segment.ts';
import { openSegmentReader } from './segment-reader.ts';
import { listSegments, listTopics, missingSegment, topicsFolder } from './topic-files.ts';

/** Damage found in a log. */
export interface LogDamage {
  readonly topic: string | undefined;
  /** Relative to the log. */
  readonly file: string;
  /** In words. */
  readonly reason: string;
  /**
   * - `cut`: lost before, and not accepted yet.
   * - `tail`: a write that never ended, or the last one damaged, or the last segment missing: opening cuts it off.
   * - `damage`: anything else; the log cannot be opened, or not read there.
   */
  readonly kind: 'cut' | 'tail' | 'damage';
}

/** Options of {@link checkLogFiles}. */
export interface LogCheckOptions {
  /** The folder of the log. */
  readonly directory: string;
  /** False when retention was never used: then events missing at the start of a topic are lost. Default true. */
  readonly mayBeTrimmed?: boolean;
  /** Called with every readable event, topic by topic and in order. */
  readonly visit?: EventVisitor | undefined;
  /** File system to use. Default that of the machine. */
  readonly fileSystem?: FileSystem;
}

/** Visits events; they share memory with the file buffer, so copy whatever is kept. */
export type EventVisitor = (event: StoredEvent) => void;

/**
 * Reads every batch of a log that nobody writes to, and reports damage. Changes nothing. Cost: reads the whole log.
 * @throws `ERR_ARGUMENT` (invalid) for options that are none; whatever the medium throws
 */
export function checkLogFiles(options: LogCheckOptions): AsyncGenerator<LogDamage> {
  return readableOnce(checkFiles(options));
}

async function* checkFiles(options: LogCheckOptions): AsyncGenerator<LogDamage> {
  checkStorageOptions(options, 'the options of checkLogFiles');
  const { directory, mayBeTrimmed = true, visit, fileSystem: fs = nodeFileSystem } = options;
  if (visit !== undefined) checkFunction(visit, 'visit');
  const cuts = await readable('cuts', 'tail', () => readLogCuts(directory, fs));
  yield* cuts.damage;
  yield* (await readable('offsets', 'damage', () => Offsets.open(directory, fs))).damage;
  const recorded = await readable(LAST_SEGMENTS_FILE, 'tail', () => LastSegments.peek(directory, fs));
  yield* recorded.damage;
  const last = new Map(recorded.value);
  const all = cuts.value ?? [];
  const cutsOf = (topic: string): readonly LogCut[] => all.filter((cut) => cut.topic === topic);
  yield* unaccepted(all);
  for (const { topic, directory: folder } of await listTopics(topicsFolder(directory), fs)) {
    const check = { directory, fs, cuts: cutsOf(topic), mayBeTrimmed, visit, isOpen: false };
    const segments = await listSegments(folder, fs);
    yield* checkTopic(topic, segments, check);
    yield* checkEnd(topic, last.get(topic), segments, check.cuts);
    last.delete(topic);
  }
  for (const [topic, firstSequence] of last) yield* checkEnd(topic, firstSequence, [], cutsOf(topic));
}

function* checkEnd(
  topic: string,
  recorded: number | undefined,
  segments: readonly Segment[],
  cuts: readonly LogCut[],
): Generator<LogDamage> {
  const resumesAt = Math.max(0, ...cuts.map((cut) => fromSequencePosition(cut.resumesAt)));
  const missing = missingSegment(recorded, segments, resumesAt);
  if (missing === undefined) return;
  const file = `topics/${toSafePath(topic)}/${segmentFileName(missing)}`;
  yield { topic, file, kind: 'tail', reason: 'it is missing, with the last events of the topic' };
}

export interface TopicCheck {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly cuts: readonly LogCut[];
  readonly mayBeTrimmed: boolean;
  readonly visit: EventVisitor | undefined;
  /** True when the log has the segments open, so that only what they hold by now is read. */
  readonly isOpen: boolean;
}

export function* unaccepted(cuts: readonly LogCut[]): Generator<LogDamage> {
  for (const { topic, after, resumesAt, bytes, keptIn, reason, accepted } of cuts) {
    const range = `lost between ${after ?? 'the start'} and ${resumesAt}`;
    const kept = keptIn === undefined ? '' : `; ${bytes} bytes are kept in ${keptIn}`;
    const file = `topics/${toSafePath(topic)}`;
    if (!accepted) yield { topic, file, kind: 'cut', reason: `events were ${range}: ${reason}${kept}` };
  }
}

/** Reads every batch of a topic; the log may be open. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: what a segment shows depends on what was found in the one before
export async function* checkTopic(
  topic: string,
  segments: readonly Segment[],
  check: TopicCheck,
): AsyncGenerator<LogDamage> {
  const { directory, mayBeTrimmed, cuts, visit: see } = check;
  const visit =
    see &&
    ((frame: Frame): void => {
      for (const event of eventsOf(frame, topic)) see(event);
    });
  let endSequence: number | undefined = mayBeTrimmed ? undefined : 0;
  for (const [index, segment] of [...segments].entries()) {
    const file = path.relative(directory, segment.file);
    const isLast = index === segments.length - 1 && !check.isOpen;
    const cut = cuts.find(({ resumesAt }) => Number(resumesAt) === segment.firstSequence);
    if (endSequence !== undefined && segment.firstSequence !== endSequence) {
      const reason = gapReason(endSequence, segment.firstSequence, cut);
      if (reason !== undefined) yield { topic, file, kind: 'damage', reason };
    }
    const found = await (check.isOpen ? checkOpen(segment, check.fs, visit) : checkClosed(segment, check.fs, visit));
    // Retention may have removed it meanwhile.
    if (found.reason !== undefined && check.isOpen && !segments.includes(segment)) continue;
    if (found.reason !== undefined) {
      yield { topic, file, kind: isLast && found.isTail ? 'tail' : 'damage', reason: found.reason };
    }
    endSequence = found.reason === undefined ? found.endSequence : undefined;
    // What follows an empty segment behind a cut is compared with the last event before.
    if (endSequence === segment.firstSequence && cut !== undefined) endSequence = endOfCut(cut);
  }
}

function gapReason(endSequence: number, firstSequence: number, cut: LogCut | undefined): string | undefined {
  if (cut !== undefined && endOfCut(cut) === endSequence) return undefined;
  if (cut === undefined && beginsEpoch(firstSequence)) return 'the record of an earlier cut is lost';
  return `events ${endSequence} to ${firstSequence - 1} are missing`;
}

interface Checked {
  readonly endSequence: number;
  readonly reason: string | undefined;
  /** True for what may be a write that never ended: bad batches with no later one behind them. */
  readonly isTail: boolean;
}

type FrameVisitor = (frame: Frame) => void;

async function checkClosed(segment: Segment, fs: FileSystem, visit: FrameVisitor | undefined): Promise<Checked> {
  const scanned = { ...segment, index: new SparseIndex() };
  return closing(await fs.open(segment.file, 'read'), async (handle) => {
    try {
      const { endSequence, bad } = await scanSegment(scanned, handle, visit);
      if (bad === undefined) return { endSequence, isTail: false, reason: undefined };
      const isTail = (await findLaterBatch(endSequence, segment.file, handle, bad)) === undefined;
      return { endSequence, isTail, reason: `at offset ${bad.offset}: ${bad.reason}` };
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return { endSequence: segment.firstSequence, isTail: false, reason: error.message };
    }
  });
}

/** Reads what the log knows of a segment by now; a segment replaced meanwhile is read anew. */
async function checkOpen(segment: Segment, fs: FileSystem, visit: FrameVisitor | undefined): Promise<Checked> {
  for (;;) {
    const { endSequence } = segment;
    try {
      if (await readToEnd(segment, fs, visit)) return { endSequence, isTail: false, reason: undefined };
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && !isCodedError(error)) throw error;
      return { endSequence, isTail: false, reason: isMissing ? 'the file is missing' : (error as Error).message };
    }
  }
}

async function readToEnd(segment: Segment, fs: FileSystem, visit: FrameVisitor | undefined): Promise<boolean> {
  const reader = await openSegmentReader(segment, fs);
  try {
    for await (const frame of reader.frames(segment.firstSequence)) {
      if (!reader.isCurrent()) return false;
      visit?.(frame);
    }
    return reader.isCurrent();
  } finally {
    await reader.close();
  }
}

interface Readable<T> {
  readonly value: T | undefined;
  readonly damage: readonly LogDamage[];
}

async function readable<T>(file: string, kind: LogDamage['kind'], read: () => Promise<T>): Promise<Readable<T>> {
  try {
    return { value: await read(), damage: [] };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { value: undefined, damage: [{ topic: undefined, file, kind, reason: error.message }] };
  }
}
