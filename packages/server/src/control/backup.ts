import { existsSync, readFileSync, statSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CodedError, isCodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import { type FileSystem, openFileBlobStore } from '@cairn/storage-fs';
import { blobFile, nodeFileSystem } from '@cairn/storage-fs/experimental';
import { SIGNING_KEY_FILE } from '../auth/keys.ts';
import { beginContents, type Difference, endContents, filesBelow } from '../backups/contents.ts';
import { verifyCopy } from '../backups/copy-verification.ts';
import { copyFile } from '../backups/file-copy.ts';
import { naming, toFileError } from '../operations/file-access.ts';
import { damaged } from '../verification/finding.ts';
import { makeCopyDurable } from './durable-copy.ts';
import { type Operation, type OperationArguments, type OperationLine, usageError } from './operation.ts';

/** Blobs that events refer to; all others belong to caches. */
const VALUE_PREFIXES = ['uploads/', 'values/'];
/** Files that are replaced as a whole rather than appended to, and are taken at once. */
const WHOLE_FILES: readonly string[] = ['offsets', 'cuts', 'segments'];

interface BackupSource {
  readonly directory: string;
  /** Files that are appended to: each is copied up to the size it had at the moment of the backup. */
  readonly segments: readonly { readonly file: string; readonly sizeBytes: number }[];
  readonly blobs: BlobStore;
  /** Where the copy is written. */
  readonly fileSystem: FileSystem;
}

/** `backup`: a copy of the log, its blobs, the keys and the configuration. Caches are left out: the log rebuilds them. */
export const backup: Operation = {
  name: 'backup',
  async *run({ storage }, args, signal) {
    const { dataDirectory: directory, blobs, fileSystem, fileLog } = storage;
    if (directory === undefined) throw usageError('there is no data directory to back up: everything is in memory');
    const target = await makeEmpty(args, directory, fileSystem);
    yield* copyAll({ directory, segments: fileLog?.segmentFiles() ?? [], blobs, fileSystem }, target, signal);
  },
};

/**
 * A backup of a data directory on a disk where nobody can write, so that it is not opened: its files as they are. What a
 * crash has torn off is named as damage, as nothing could mend it.
 * @throws as the operation `backup`
 */
export async function* backUpReadOnly(directory: string, args: OperationArguments): AsyncGenerator<OperationLine> {
  const target = await makeEmpty(args, directory, nodeFileSystem);
  yield { type: 'progress', text: `${directory} is on a read-only disk: its files are copied as they are` };
  const segments = await listSegments(path.join(directory, 'log'));
  const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs'), isReadOnly: true });
  try {
    yield* copyAll({ directory, segments, blobs, fileSystem: nodeFileSystem }, target, new AbortController().signal);
  } finally {
    await blobs.close();
  }
}

async function listSegments(log: string): Promise<{ file: string; sizeBytes: number }[]> {
  const files = (await filesBelow(log)).filter((file) => file.startsWith('topics/') && file.endsWith('.seg'));
  return files.map((file) => ({ file, sizeBytes: statSync(path.join(log, file)).size }));
}

interface BackupTarget {
  readonly directory: string;
  /** The topmost folder that was made for it; `undefined` when its own was there already. */
  readonly topmost: string | undefined;
}

async function* copyAll(
  source: BackupSource,
  { directory: target, topmost }: BackupTarget,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const { directory, fileSystem } = source;
  const log = path.join(directory, 'log');
  // Nothing else of this process runs meanwhile, so no event in the segments was made from one that is not in them.
  const whole = WHOLE_FILES.filter((file) => existsSync(path.join(log, file))).map((file) => {
    return { file: path.join(target, 'log', file), content: readFileSync(path.join(log, file)) };
  });
  await naming('write', target, () => beginContents(target, fileSystem));
  for (const { file, content } of whole) await naming('write', file, () => writeWhole(file, content));
  for (const { file, sizeBytes } of source.segments)
    await copyFile(path.join(log, file), path.join(target, 'log', file), { sizeBytes, signal, fileSystem });
  const count = whole.length + source.segments.length;
  const bytes =
    sumOf(whole.map(({ content }) => content.length)) + sumOf(source.segments.map(({ sizeBytes }) => sizeBytes));
  yield { type: 'progress', text: `log: ${count} files, ${bytes} bytes` };
  const blobs = await copyBlobs(source, path.join(target, 'blobs'), signal);
  yield { type: 'progress', text: `values: ${blobs.count} blobs, ${blobs.bytes} bytes` };
  for (const kept of [SIGNING_KEY_FILE, 'cairn.yaml'].filter((file) => existsSync(path.join(directory, file))))
    await copyFile(path.join(directory, kept), path.join(target, kept), { keepsMode: true, fileSystem });
  // Files are durable when they are closed, their names only now.
  await naming('write', target, () => makeCopyDurable(target, topmost, fileSystem));
  let damages = 0;
  for await (const { text, isDamage } of verifyCopy(target, blobs.damaged)) {
    if (isDamage) damages++;
    yield { type: 'progress', text };
  }
  await naming('write', target, () => endContents(target, fileSystem));
  if (damages > 0) throw damaged(damages, 'the backup');
  yield { type: 'result', text: `backed up ${bytes + blobs.bytes} bytes to ${target}` };
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function writeWhole(file: string, content: Buffer): Promise<void> {
  await nodeFileSystem.makeDirectory(path.dirname(file));
  await writeFile(file, content, { mode: 0o600, flush: true });
}

async function copyBlobs(
  { blobs: source, fileSystem }: BackupSource,
  directory: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly bytes: number; readonly damaged: readonly Difference[] }> {
  const target = await openFileBlobStore({ directory, fileSystem });
  const damaged: Difference[] = [];
  let [count, bytes] = [0, 0];
  for (const prefix of VALUE_PREFIXES) {
    for await (const { name, sizeBytes } of source.list(prefix)) {
      try {
        const content = await source.stream(name);
        if (content === undefined) continue;
        await target.put(name, content, { signal }).catch((error: unknown) => {
          throw isUnwritten(error) ? toFileError('write', directory, error.cause) : error;
        });
        count += 1;
        bytes += sizeBytes;
      } catch (error) {
        // The others are worth a copy all the more.
        if (!isCodedError(error) || error.kind !== 'corrupt') throw error;
        damaged.push({ file: `blobs/${blobFile(name)}`, reason: error.message });
      }
    }
  }
  await target.close();
  return { count, bytes, damaged };
}

/** A blob store says that it could not write, and not where: its folder is that of a backup here. */
function isUnwritten(error: unknown): error is CodedError {
  return isCodedError(error) && error.code === 'ERR_BLOB_WRITE';
}

/**
 * Makes the folder of a backup where it is not there. Nothing on the way to it is waited for on the main thread: the
 * server goes on.
 * @throws `ERR_USAGE` (invalid) when it cannot be one; `ERR_FILE_WRITE` (unavailable) when the system refuses
 */
async function makeEmpty(args: OperationArguments, source: string, fs: FileSystem): Promise<BackupTarget> {
  const directory = path.resolve(String(args['directory']));
  if (`${directory}${path.sep}`.startsWith(`${path.resolve(source)}${path.sep}`))
    throw usageError(`${directory} is inside the data directory`);
  const found = await stat(directory).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw usageError(`${directory} is not a folder`);
  const entries = await naming('read', directory, () => fs.list(directory));
  if (entries.length > 0) throw usageError(`${directory} is not empty`);
  return { directory, topmost: await naming('write', directory, () => fs.makeDirectory(directory)) };
}
