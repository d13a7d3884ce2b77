import { badArgument, checkObject, checkPort } from '@cairn/errors';
import type { FileSystem } from './file-system.ts';

/** Location of a log or a blob store. */
export interface StorageOptions {
  readonly directory: string;
  readonly fileSystem?: FileSystem;
}

/**
 * Refuses a missing folder name: the empty text would be the current directory of the process.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkStorageOptions(options: StorageOptions, what: string): void {
  checkObject(options, what);
  const { directory, fileSystem } = options;
  if (typeof directory !== 'string' || directory === '')
    throw badArgument('the directory', 'the path of a folder', directory);
  if (fileSystem !== undefined) checkPort(fileSystem, 'syncDirectory', 'the file system');
}
