import type { FileSystem } from '@cairn/storage-fs';
import type { Environment } from '../config/environment.ts';
import type { Console } from './outcome.ts';

export interface CommandContext {
  readonly environment: Environment;
  readonly console: Console;
  /** Where data directories are. Default the file system of the machine. */
  readonly fileSystem?: FileSystem | undefined;
}
