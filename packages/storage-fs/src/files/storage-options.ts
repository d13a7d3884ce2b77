import { badArgument, checkObject, checkPort } from '@cairn/errors';
import type { FileSystem } from './file-system.ts';

/** What a log and a blob store need to know of where they are. */
export interface StorageOptions {
  readonly directory: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Refuses what names no folder: the empty text would be the folder that the process happens to run in.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkStorageOptions(options: StorageOptions, what: string): void {
  checkObject(options, what);
  const { directory, fileSystem } = options;
  if (typeof directory !== 'string' || directory === '')
    throw badArgument('the directory', 'the path of a folder', directory);
  if (fileSystem !== undefined) checkPort(fileSystem, 'syncDirectory', 'the file system');
}
