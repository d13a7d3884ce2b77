import path from 'node:path';
import { CodedError, isCodedError } from '@cairn/errors';
import { type FileSystem, openFileEventLog } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { readSigningKey, SIGNING_KEY_FILE } from '../auth/keys.ts';
import { makeCopyDurable } from '../control/durable-copy.ts';
import { naming } from '../operations/file-access.ts';
import { damaged } from '../verification/finding.ts';
import {
  CONTENTS_FILE,
  type Contents,
  compareFile,
  type Difference,
  filesBelow,
  findMissing,
  readContents,
} from './contents.ts';
import { type CopyLine, damageLine, verifyCopy } from './copy-verification.ts';
import { copyFile } from './file-copy.ts';
import { markRestore, RESTORE_MARKER, unmarkRestore } from './marker.ts';

export interface RestoreOptions {
  readonly source: string;
  /** An empty folder, or one that is not there. */
  readonly target: string;
  /** True when what is there of a backup is restored when more than values is missing. */
  readonly isIncomplete: boolean;
  /** Is told what is damaged, missing or passed over, a line each. */
  readonly say: (line: string) => void;
  /** Where the copy is written. Default the file system of the machine. */
  readonly fileSystem?: FileSystem | undefined;
}

interface Restore extends Omit<RestoreOptions, 'fileSystem'> {
  readonly fs: FileSystem;
  /** List of the backup; `undefined` when unknown. */
  readonly contents: Contents | undefined;
  /** Files that are known to differ before any is read. */
  readonly missing: readonly Difference[];
}

/**
 * Copies a backup into an empty folder and reads the copy whole. The folder is marked from the first step to the last, so
 * that nothing opens it in between. Returns how many topics there are.
 * @throws `ERR_BACKUP_INCOMPLETE` (corrupt) when the backup has no list of its files, or not a whole one; `ERR_DAMAGED`
 *   (corrupt) when anything is damaged or missing: when it is more than values, nothing opens the folder; `ERR_FILE_READ`,
 *   `ERR_FILE_WRITE` (unavailable) when the medium refuses.
 */
export async function restoreBackup({ fileSystem: fs = nodeFileSystem, ...options }: RestoreOptions): Promise<number> {
  const { source, target, isIncomplete, say } = options;
  const contents = await contentsOf(options);
  const missing = contents === undefined ? [] : await findMissing(source, contents);
  if (!isIncomplete && missing.some(isIndispensable)) {
    for (const { file, reason } of missing) say(damageLine(file, reason).text);
    throw refused(missing.length, `nothing was written to ${target}`);
  }
  const restore: Restore = { ...options, fs, contents, missing };
  const topmost = await naming('write', target, () => fs.makeDirectory(target));
  await naming('write', path.join(target, RESTORE_MARKER), () => markRestore(target, topmost, fs));
  const { damages, topics } = await fill(restore).catch((error: unknown) => {
    throw withWayOut(error, target);
  });
  await unmarkRestore(target, fs);
  if (damages > 0) throw damaged(damages, 'the backup');
  return topics;
}

/** @throws `ERR_BACKUP_INCOMPLETE` (corrupt) when it is not known, and has to be. */
async function contentsOf({ source, isIncomplete, say }: RestoreOptions): Promise<Contents | undefined> {
  try {
    const contents = await readContents(source);
    if (contents !== undefined) return contents;
    const message = `${source} has no file ${CONTENTS_FILE} that lists its files, as backups of earlier releases; nobody can tell whether it is whole`;
    throw new CodedError({ code: 'ERR_BACKUP_INCOMPLETE', kind: 'corrupt', message });
  } catch (error) {
    if (!isCodedError(error) || error.code !== 'ERR_BACKUP_INCOMPLETE') throw error;
    if (!isIncomplete)
      throw withAdvice(error, '; restore another backup, or what is there of this one with --incomplete');
    say(error.message);
    return undefined;
  }
}

async function fill(restore: Restore): Promise<{ readonly damages: number; readonly topics: number }> {
  const { target, isIncomplete, fs, say } = restore;
  const differences = [...restore.missing, ...(await copyAll(restore))];
  await makeCopyDurable(target, undefined, fs);
  let damages = 0;
  for await (const { text, isDamage } of findDamage(target, differences)) {
    say(text);
    if (isDamage) damages++;
  }
  if (!isIncomplete && differences.some(isIndispensable)) throw refused(damages, 'the rest was copied');
  return { damages, topics: damages > 0 ? 0 : await countTopics(target, fs) };
}

async function* findDamage(target: string, differences: readonly Difference[]): AsyncGenerator<CopyLine> {
  yield* verifyCopy(target, differences);
  if (differences.some(({ file }) => file === SIGNING_KEY_FILE)) return;
  try {
    if ((await readSigningKey(target)) !== undefined) return;
    const text = `there is no ${SIGNING_KEY_FILE}: the server makes another key, and refuses tokens issued before`;
    yield { text, isDamage: false };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    yield damageLine(SIGNING_KEY_FILE, error.message);
  }
}

/** Opens the log once, as a server will. */
async function countTopics(target: string, fileSystem: FileSystem): Promise<number> {
  const log = await openFileEventLog({ directory: path.join(target, 'log'), fileSystem });
  const topics = await log.topics();
  await log.close();
  return topics.length;
}

/** Copies every file that the backup lists, or all there are where that is not known. Returns those that differ. */
async function copyAll({ source, target, contents, missing, fs, say }: Restore): Promise<Difference[]> {
  const there = (await filesBelow(source)).filter((file) => file !== CONTENTS_FILE && !LOCK.test(file));
  for (const file of contents === undefined ? [] : there) {
    if (contents?.has(file) !== true) say(`passed over: ${file} is not of the backup`);
  }
  const known = new Set(missing.map(({ file }) => file));
  const present = new Set(there);
  const differences: Difference[] = [];
  for (const file of contents?.keys() ?? there) {
    if (!present.has(file)) continue;
    const [from, to] = [path.join(source, file), path.join(target, file)];
    const found = await copyFile(from, to, { keepsMode: true, fileSystem: fs });
    const listed = contents?.get(file);
    const difference = listed === undefined || known.has(file) ? undefined : compareFile(file, listed, found);
    if (difference !== undefined) differences.push(difference);
  }
  return differences;
}

/** Of whoever reads the backup. */
const LOCK = /^log\/lock(\.|$)/;

/** A value that is missing is missed by its event wherever it is served; of any other file nobody else may know. */
function isIndispensable({ file }: Difference): boolean {
  return !file.startsWith('blobs/');
}

function refused(count: number, consequence: string): CodedError {
  const { code, kind, message } = damaged(count, 'the backup');
  const wayOut = 'restore another backup, or what is there of this one with --incomplete';
  return new CodedError({ code, kind, message: `${message}; ${consequence}; ${wayOut}` });
}

function withWayOut(error: unknown, target: string): unknown {
  if (!isCodedError(error)) return error;
  return withAdvice(error, `\n${target} is not whole, and no command opens it: empty it before you restore again`);
}

function withAdvice(cause: CodedError, advice: string): CodedError {
  return new CodedError({ code: cause.code, kind: cause.kind, message: `${cause.message}${advice}`, cause });
}
