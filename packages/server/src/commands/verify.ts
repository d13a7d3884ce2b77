import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { openFileBlobStore, openFileEventLog, readLogCuts, repairFileEventLog } from '@cairn/storage-fs';
import { type DirectoryLock, lockDirectory } from '@cairn/storage-fs/experimental';
import { CONTENTS_FILE, checkContents, isBackup, readContents, refuseBackup } from '../backups/contents.ts';
import { findUnfinishedRestore, isRestoreUnfinished } from '../backups/marker.ts';
import { readCaches } from '../composition/cache-reading.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Environment } from '../config/environment.ts';
import { callServer } from '../control/client.ts';
import type { OperationLine } from '../control/operation.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { acceptedLines, giveUpValues, VerifyReport } from '../control/verify.ts';
import { isForbidden, toFileError } from '../operations/file-access.ts';
import { TieVerification, verifyPositions } from '../verification/caches.ts';
import type { Finding } from '../verification/finding.ts';
import { ofCache, VerifiedData, verifyStoredData } from '../verification/stored-data.ts';
import { type CommandContext, printLines } from './outcome.ts';
import { dataDirectoryOf, readSettings, requireEvents, type SettingFlags, type Settings } from './settings.ts';

export interface VerifyFlags extends SettingFlags {
  readonly accept?: boolean;
  readonly giveUpValues?: boolean;
  readonly json?: boolean;
}

/**
 * `cairn verify`: reads a data directory whole, in the server that uses it or by itself, and says what is damaged; of
 * a backup, whether it is as it was written, too.
 * @throws `ERR_DAMAGED` (corrupt) when anything is, `ERR_USAGE` (invalid) when there is no log, `ERR_LOG_LOCKED`
 *   (conflict) when a process has it open that does not answer
 */
export async function verify(flags: VerifyFlags, { environment, console }: CommandContext): Promise<number> {
  return printLines(await linesOf(flags, environment), console);
}

async function linesOf(flags: VerifyFlags, environment: Environment): Promise<AsyncIterable<OperationLine>> {
  const named = dataDirectoryOf(flags, environment);
  if (named !== undefined && isRestoreUnfinished(named)) return verifyUnfinished(named, flags);
  if (named !== undefined && isBackup(named)) return verifyCopied(named, flags);
  const settings = readSettings(flags, environment);
  const directory = requireEvents(settings);
  const args = { accept: textOf(flags.accept), giveUpValues: textOf(flags.giveUpValues), json: textOf(flags.json) };
  return (await callServer(controlSocketPath(directory), 'verify', args)) ?? verifyStopped(directory, settings, flags);
}

/** Of a directory that was not restored to its end nothing else is worth a word. */
async function* verifyUnfinished(directory: string, { json = false }: VerifyFlags): AsyncGenerator<OperationLine> {
  const report = new VerifyReport(json);
  yield report.line(findUnfinishedRestore(directory));
  yield report.end(new VerifiedData());
}

/** A backup, which nobody writes to, this command neither. */
async function* verifyCopied(directory: string, flags: VerifyFlags): AsyncGenerator<OperationLine> {
  if (flags.accept === true || flags.giveUpValues === true) refuseBackup(directory);
  const verified = new VerifiedData();
  const report = new VerifyReport(flags.json === true);
  for await (const finding of verifyBackup(directory, verified)) yield report.line(finding);
  yield report.end(verified);
}

const BACKUP_REMEDY =
  'take another backup while the data is there; cairn restore --incomplete restores what is left of this one';

/**
 * Reports damage to a backup, by its own list and by the checksums in its files. Changes nothing. Cost: reads
 * everything twice.
 * @throws what the medium throws
 */
async function* verifyBackup(directory: string, verified: VerifiedData): AsyncGenerator<Finding> {
  const named = new Set<string>();
  for await (const { file: what, reason } of differencesOf(directory)) {
    named.add(what);
    yield { area: 'backup', what, reason, remedy: BACKUP_REMEDY };
  }
  for await (const finding of verifyStoredData({ directory }, verified)) {
    if (!named.has(finding.what)) yield finding;
  }
}

async function* differencesOf(directory: string): ReturnType<typeof checkContents> {
  try {
    const contents = await readContents(directory);
    if (contents !== undefined) yield* checkContents(directory, contents);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    yield { file: CONTENTS_FILE, reason: error.message };
  }
}

function textOf(flag: boolean | undefined): string | undefined {
  return flag === true ? 'true' : undefined;
}

async function* verifyStopped(
  directory: string,
  { configuration }: Settings,
  { accept = false, giveUpValues: isGivingUp = false, json = false }: VerifyFlags,
): AsyncGenerator<OperationLine> {
  if (accept) yield* repair(path.join(directory, 'log'));
  const verified = new VerifiedData();
  const report = new VerifyReport(json);
  const lock = await lockToRead(path.join(directory, 'log'));
  if (lock === undefined) yield { type: 'progress', text: `${directory} cannot be written, so that it is not locked` };
  try {
    for await (const finding of findDamage(directory, configuration, verified)) yield report.line(finding);
  } catch (error) {
    throw toFileError('read', directory, error);
  } finally {
    await lock?.release();
  }
  if (isGivingUp) yield* giveUp(directory, verified);
  yield report.end(verified);
}

/** Everything that is damaged in a directory that nobody writes to. */
async function* findDamage(
  directory: string,
  configuration: Configuration,
  verified: VerifiedData,
): AsyncGenerator<Finding> {
  const { whole, damaged } = await readCaches(directory, configuration);
  const ties = new TieVerification(whole);
  let hasLogDamage = false;
  for await (const finding of verifyStoredData({ directory, visit: (event) => ties.visit(event) }, verified)) {
    hasLogDamage ||= finding.area === 'log';
    yield finding;
  }
  for (const { name, error } of damaged) yield ofCache(name, error);
  // Where the log ends is known only of one that can be read.
  if (hasLogDamage) return;
  yield* verifyPositions(whole, verified.ends, await readLogCuts(path.join(directory, 'log')));
  yield* ties.findings();
}

/**
 * Keeps servers and other commands out while a directory is read; `undefined` where nothing can be written, as on a
 * read-only medium.
 * @throws `ERR_LOG_LOCKED` (conflict) when another process has it open
 */
async function lockToRead(directory: string): Promise<DirectoryLock | undefined> {
  try {
    return await lockDirectory(directory);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

async function* repair(directory: string): AsyncGenerator<OperationLine> {
  const { cuts, setAside } = await repairFileEventLog({ directory, mayBeTrimmed: false });
  for (const { file, keptIn } of setAside)
    yield { type: 'progress', text: `set aside: log/${file} is log/${keptIn} now` };
  yield* acceptedLines(cuts);
  const log = await openFileEventLog({ directory });
  try {
    yield* acceptedLines(await log.acceptCuts());
  } finally {
    await log.close();
  }
}

async function* giveUp(directory: string, verified: VerifiedData): AsyncGenerator<OperationLine> {
  const log = await openFileEventLog({ directory: path.join(directory, 'log') });
  try {
    const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
    try {
      yield* giveUpValues({ log, blobs }, verified);
    } finally {
      await blobs.close();
    }
  } finally {
    await log.close();
  }
}
