import { existsSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import type { FileSystem } from '@cairn/storage-fs';
import { syncMadeFolders } from '@cairn/storage-fs/experimental';
import type { Finding } from '../verification/finding.ts';

/** The file of a data directory that is there from the first step of a restore to its last. */
export const RESTORE_MARKER = 'restoring';

/**
 * Says durably that a folder is being restored to, before anything else is written there.
 * @param topmost the topmost folder that was made for it; `undefined` when its own was there already
 * @throws `ERR_RESTORE_UNFINISHED` (corrupt) when another restore was first; what the medium throws
 */
export async function markRestore(directory: string, topmost: string | undefined, fs: FileSystem): Promise<void> {
  try {
    const file = await fs.open(path.join(directory, RESTORE_MARKER), 'create');
    try {
      const text = `A restore into this folder did not end: empty the folder and restore again.\n`;
      await file.write(Buffer.from(text), 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw unfinishedRestore(directory);
    throw error;
  }
  await fs.syncDirectory(directory);
  await syncMadeFolders(directory, topmost, fs);
}

/** Says durably that everything is restored. */
export async function unmarkRestore(directory: string, fs: FileSystem): Promise<void> {
  await fs.remove(path.join(directory, RESTORE_MARKER));
  await fs.syncDirectory(directory);
}

/** Returns true if a restore into a folder began and did not end; it may still run. */
export function isRestoreUnfinished(directory: string): boolean {
  return existsSync(path.join(directory, RESTORE_MARKER));
}

/** Finding of `cairn verify` for an unfinished restore. */
export function findUnfinishedRestore(directory: string): Finding {
  const remedy = `empty ${directory} and restore again`;
  return { area: 'restore', what: RESTORE_MARKER, reason: `a restore into ${directory} did not end`, remedy };
}

/** @throws `ERR_RESTORE_UNFINISHED` (corrupt) when a restore into a folder did not end. */
export function refuseUnfinishedRestore(directory: string): void {
  if (isRestoreUnfinished(directory)) throw unfinishedRestore(directory);
}

function unfinishedRestore(directory: string): CodedError {
  const message = `a restore into ${directory} did not end; empty it and restore again, unless that restore still runs`;
  return new CodedError({ code: 'ERR_RESTORE_UNFINISHED', kind: 'corrupt', message });
}
