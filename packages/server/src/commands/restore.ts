import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openDirectoryStorage } from '../composition/storage.ts';
import { verifyCopy } from '../control/backup.ts';
import { makeCopyDurable } from '../control/durable-copy.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, type SettingFlags, usageError } from './settings.ts';

/**
 * `cairn restore`: copies a backup into an empty data directory, reads the copy whole, and opens it once.
 * @throws `ERR_USAGE` (invalid) when there is no backup, or the data directory is not empty; `ERR_DAMAGED` (corrupt)
 *   when something of it is damaged or missing: what was copied stays, for `cairn verify` and its ways out; what opening
 *   throws.
 */
export async function restore(
  directory: string,
  flags: SettingFlags,
  { environment, console }: CommandContext,
): Promise<number> {
  const target = requireDataDirectory(readSettings(flags, environment));
  const source = path.resolve(directory);
  if (!existsSync(path.join(source, 'log'))) throw usageError(`${source} holds no backup: it has no folder log`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw usageError(`the data directory ${target} is not empty`);
  const topmost = mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true, preserveTimestamps: true });
  await makeCopyDurable(target, { topmost, withFiles: true });
  for await (const { text } of verifyCopy(target, 'the backup')) console.err(text);
  const storage = await openDirectoryStorage(target);
  const topics = await storage.log.topics();
  await storage.close();
  console.out(`restored ${topics.length} topics to ${target}`);
  return EXIT.ok;
}
