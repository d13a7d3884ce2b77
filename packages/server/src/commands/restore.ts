import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isBackup } from '../backups/contents.ts';
import { restoreBackup } from '../backups/restoration.ts';
import { usageError } from '../control/operation.ts';
import { type CommandContext, EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, type SettingFlags } from './settings.ts';

export interface RestoreFlags extends SettingFlags {
  readonly incomplete?: boolean;
}

/**
 * `cairn restore`: copies a backup into an empty data directory, reads the copy whole, and opens it once.
 * @throws `ERR_USAGE` (invalid) when there is no backup, or the data directory is not empty; what
 *   {@link restoreBackup} throws.
 */
export async function restore(
  directory: string,
  flags: RestoreFlags,
  { environment, console }: CommandContext,
): Promise<number> {
  const target = requireDataDirectory(readSettings(flags, environment));
  const source = path.resolve(directory);
  if (!isBackup(source) && !existsSync(path.join(source, 'log')))
    throw usageError(`${source} holds no backup: it has no folder log`);
  if (existsSync(target) && !statSync(target).isDirectory())
    throw usageError(`the data directory ${target} is not a folder`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw usageError(`the data directory ${target} is not empty`);
  const say = (line: string): void => console.err(line);
  const topics = await restoreBackup({ source, target, isIncomplete: flags.incomplete === true, say });
  console.out(`restored ${topics} topics to ${target}`);
  return EXIT.ok;
}
