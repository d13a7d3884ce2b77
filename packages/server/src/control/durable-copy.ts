import path from 'node:path';
import type { FileSystem } from '@cairn/storage-fs';
import { syncMadeFolders } from '@cairn/storage-fs/experimental';

/**
 * Makes the names of everything under a folder durable, and those of the folders that were made above it; the content of
 * its files is so already.
 * @param topmost the topmost folder that was made for the copy; `undefined` when its own was there already
 */
export async function makeCopyDurable(directory: string, topmost: string | undefined, fs: FileSystem): Promise<void> {
  await syncFolder(path.resolve(directory), fs);
  await syncMadeFolders(directory, topmost, fs);
}

async function syncFolder(directory: string, fs: FileSystem): Promise<void> {
  for (const { name, isDirectory } of await fs.list(directory)) {
    if (isDirectory) await syncFolder(path.join(directory, name), fs);
  }
  await fs.syncDirectory(directory);
}
