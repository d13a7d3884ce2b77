import path from 'node:path';
import { checkFunction, isCodedError } from '@cairn/errors';
import type { LogCut } from '@cairn/events';
import { lockDirectory } from '../files/directory-lock.ts';
import { closing, readWholeFile } from '../files/durable-file.ts';
import { checkStorageOptions, type FileSystem, nodeFileSystem } from '../files/file-system.ts';
import type { LogCheckOptions, TopicCheck } from './check.ts';
import { Cuts, endOfCut, nextEpoch } from './cuts.ts';
import { Offsets } from './offsets.ts';
import { type Run, salvageSegment } from './salvage.ts';
import { markOfFolder } from './segment.ts';
import { SetAside } from './set-aside.ts';
import { createSegment, listSegments, listTopics, type TopicFolder, topicsFolder } from './topic-files.ts';

/** Options of {@link repairFileEventLog}. */
export interface LogRepairOptions extends Omit<LogCheckOptions, 'visit'> {
  /** Milliseconds since the epoch. Default the clock of the machine. */
  readonly nowMs?: () => number;
}

/** Result of a repair. */
export interface LogRepair {
  /** Ranges lost for good; they count as accepted. */
  readonly cuts: readonly LogCut[];
  /** Damaged files, relative to the log, and where each is kept now. */
  readonly setAside: readonly { readonly file: string; readonly keptIn: string }[];
}

/**
 * Makes a damaged log one that can be opened: every sound batch is kept with its positions, each damaged file is kept
 * aside as it was, and gaps between are recorded as cuts. If interrupted it can be run again. A sound log stays as it
 * is. Cost: reads the whole log.
 * @throws `ERR_ARGUMENT` (invalid) for options that are none, `ERR_LOG_LOCKED` (conflict) when it is open, `ERR_LOG_VERSION` (unsupported) when a later release wrote it,
 *   whatever the medium throws
 */
export async function repairFileEventLog(options: LogRepairOptions): Promise<LogRepair> {
  checkStorageOptions(options, 'the options of repairFileEventLog');
  const { directory, mayBeTrimmed = true, nowMs = Date.now, fileSystem: fs = nodeFileSystem } = options;
  checkFunction(nowMs, 'nowMs');
  const lock = await lockDirectory(directory, fs);
  try {
    const aside = new SetAside(directory, fs);
    const cuts = await Cuts.open(directory, fs, nowMs, aside);
    const repair: Repair = { directory, fs, aside, cuts, mayBeTrimmed, setAside: [], cutsMade: [] };
    await repairOffsets(repair);
    await repairTopics(repair, await listTopics(topicsFolder(directory), fs));
    return { cuts: repair.cutsMade, setAside: repair.setAside };
  } finally {
    await lock.release();
  }
}

interface SegmentFile {
  readonly file: string;
  readonly isSound: boolean;
  readonly runs: readonly Run[];
  readonly firstSequence: number;
  /** Mark of the folder that it was written for. */
  readonly mark: number;
}

interface Repair extends Pick<TopicCheck, 'directory' | 'fs' | 'mayBeTrimmed'> {
  readonly aside: SetAside;
  readonly cuts: Cuts;
  readonly setAside: { file: string; keptIn: string }[];
  readonly cutsMade: LogCut[];
}

/** Without positions every consumer starts over, and drops what it has already done. */
async function repairOffsets(repair: Repair): Promise<void> {
  try {
    await Offsets.open(repair.directory, repair.fs);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    const file = path.join(repair.directory, 'offsets');
    const keptIn = await repair.aside.reserve('offsets');
    await repair.aside.moveFile(file, keptIn);
    repair.setAside.push({ file: 'offsets', keptIn });
  }
}

async function repairTopics(repair: Repair, folders: readonly TopicFolder[]): Promise<void> {
  const byMark = new Map<number, SegmentFile[]>();
  for (const { directory } of folders) byMark.set(markOfFolder(directory), await readFiles(repair, directory));
  const lists = folders.map(({ directory }) => byMark.get(markOfFolder(directory)) ?? []);
  for (const file of lists.flat()) {
    const home = byMark.get(file.mark);
    if (!file.isSound && home?.includes(file) === false) home.push(file);
  }
  for (const [index, folder] of folders.entries()) await repairTopic(repair, folder, lists[index]);
}

async function repairTopic(
  repair: Repair,
  { topic, directory }: TopicFolder,
  files: readonly SegmentFile[],
): Promise<void> {
  const damaged = files.filter(({ isSound, file }) => !isSound && path.dirname(file) === directory);
  const kept = keepOnce(files, markOfFolder(directory));
  const keptIn = new Map<string, string>();
  for (const { file } of damaged) keptIn.set(file, await copyAside(repair, file));
  await recordGaps(repair, topic, kept, files, keptIn);
  const names = new Set<string>();
  for (const { run, source } of kept) {
    if (source.isSound) names.add(source.file);
    else names.add(await writeSegment(repair.fs, directory, run));
  }
  for (const { file } of damaged) if (!names.has(file)) await repair.fs.remove(file);
  if (damaged.length > 0) await repair.fs.syncDirectory(directory);
}

/** One file at a time; of sound ones only what they hold, not their bytes. */
async function readFiles({ fs }: Repair, directory: string): Promise<SegmentFile[]> {
  const files: SegmentFile[] = [];
  for (const { file, firstSequence } of await listSegments(directory, fs)) {
    const content = (await readWholeFile(fs, file)) ?? Buffer.alloc(0);
    const { runs, isWhole, header } = salvageSegment(file, content);
    const mark = header?.mark || markOfFolder(directory);
    const begins = runs[0]?.firstSequence ?? firstSequence;
    const isAtHome = mark === markOfFolder(directory) && header?.firstSequence === firstSequence;
    const isSound = isWhole && isAtHome && begins === firstSequence;
    files.push({
      file,
      firstSequence,
      isSound,
      mark,
      runs: isSound ? runs.map((run) => ({ ...run, bytes: NO_BYTES })) : runs,
    });
  }
  return files;
}

async function copyAside({ directory, fs, aside, setAside }: Repair, file: string): Promise<string> {
  return closing(await fs.open(file, 'read'), async (handle) => {
    const name = `${path.basename(path.dirname(file))}.${path.basename(file)}`;
    const keptIn = await aside.copyRange(handle, 0, await handle.size(), name);
    setAside.push({ file: path.relative(directory, file), keptIn });
    return keptIn;
  });
}

/** Records gaps between the kept batches; at the end the topic goes on in the next epoch. */
async function recordGaps(
  { fs, cuts, cutsMade, mayBeTrimmed }: Repair,
  topic: string,
  kept: readonly Kept[],
  files: readonly SegmentFile[],
  keptIn: ReadonlyMap<string, string>,
): Promise<void> {
  let endSequence = 0;
  const note = async (resumesAt: number, reason: string, source: SegmentFile | undefined): Promise<void> => {
    const place = source === undefined ? undefined : keptIn.get(source.file);
    const bytes = source === undefined ? 0 : ((await fs.sizeOf(source.file)) ?? 0);
    await cuts.add({ topic, endSequence, resumesAt, bytes, keptIn: place, reason }, true);
    const cut = cuts.before(topic, resumesAt);
    if (cut !== undefined) cutsMade.push(cut);
  };
  for (const { run, source } of kept) {
    const isTrimmed = mayBeTrimmed && source === files[0] && source.isSound;
    const cut = cuts.before(topic, run.firstSequence);
    const isKnown = cut !== undefined && endOfCut(cut) === endSequence;
    if (run.firstSequence > endSequence && !isTrimmed && !isKnown) {
      const near = files.findLast((file) => !file.isSound && file.firstSequence < run.firstSequence);
      await note(run.firstSequence, 'a part of the topic is damaged or missing', near);
    }
    endSequence = Math.max(endSequence, run.endSequence);
  }
  const last = files.findLast(({ file }) => keptIn.has(file));
  if (last !== undefined && files.every(({ file, firstSequence }) => !isBehind(file, firstSequence, last))) {
    const resumesAt = nextEpoch(Math.max(endSequence, last.firstSequence, cuts.resumesAt(topic)));
    await note(resumesAt, 'the last segment is damaged', last);
  }
}

/** Writes batches as a segment of their own, over a damaged one of the same name. */
async function writeSegment(fs: FileSystem, directory: string, run: Run): Promise<string> {
  const { firstSequence, lastTimestampMs } = run;
  const { segment, handle } = await createSegment(directory, firstSequence, lastTimestampMs, fs, run);
  await handle.close();
  return segment.file;
}

interface Kept {
  readonly run: Run;
  readonly source: SegmentFile;
}

function isBehind(file: string, firstSequence: number, last: SegmentFile): boolean {
  return path.dirname(file) === path.dirname(last.file) && firstSequence > last.firstSequence;
}

const NO_BYTES = Buffer.alloc(0);

/** Returns the sound batches of a folder's files in order; of two copies the one in the sound file. */
function keepOnce(files: readonly SegmentFile[], mark: number): Kept[] {
  const own = files.filter((file) => file.mark === mark);
  const all = own.flatMap((source) => source.runs.map((run) => ({ run, source })));
  all.sort((a, b) => a.run.firstSequence - b.run.firstSequence || Number(b.source.isSound) - Number(a.source.isSound));
  const kept: Kept[] = [];
  for (const one of all) {
    if (one.run.firstSequence >= (kept.at(-1)?.run.endSequence ?? 0)) kept.push(one);
  }
  return kept;
}
