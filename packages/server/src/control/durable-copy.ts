import path from 'node:path';
import type { FileSystem } from '@cairn/storage-fs';
import { nodeFileSystem, syncMadeFolders } from '@cairn/storage-fs/experimental';

/** Options of {@link makeCopyDurable}. */
export interface DurableCopyOptions {
  /** The topmost folder that was made for the copy; `undefined` when its own was there already. */
  readonly topmost: string | undefined;
  /** True when the content of its files is to be made durable too. Default false: it is already. */
  readonly withFiles?: boolean;
  /** Default the file system of the machine. */
  readonly fileSystem?: FileSystem | undefined;
}

/** Makes the names of everything under a folder durable, and those of the folders that were made above it. */
export async function makeCopyDurable(
  directory: string,
  { topmost, withFiles = false, fileSystem = nodeFileSystem }: DurableCopyOptions,
): Promise<void> {
  await syncFolder(path.resolve(directory), withFiles, fileSystem);
  await syncMadeFolders(directory, topmost, fileSystem);
}

async function syncFolder(directory: string, withFiles: boolean, fileSystem: FileSystem): Promise<void> {
  for (const { name, isDirectory } of await fileSystem.list(directory)) {
    const entry = path.join(directory, name);
    if (isDirectory) await syncFolder(entry, withFiles, fileSystem);
    else if (withFiles) await syncFile(entry, fileSystem);
  }
  await fileSystem.syncDirectory(directory);
}

async function syncFile(name: string, fileSystem: FileSystem): Promise<void> {
  const file = await fileSystem.open(name, 'read');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
