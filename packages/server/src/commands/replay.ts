import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replayFiles } from '@cairn/ingest';
import { parse } from 'yaml';
import { openDirectoryStorage } from '../composition/storage.ts';
import { usageError } from '../control/operation.ts';
import { type CommandContext, EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, type SettingFlags } from './settings.ts';

/**
 * `cairn replay`: appends the events of a directory's files to a topic, under the lock of the data directory; the
 * caches follow when the server starts. @throws `ERR_EVENT_FILE` (invalid), `ERR_LOG_LOCKED` (conflict) while it runs.
 */
export async function replay(
  directory: string,
  flags: SettingFlags & { readonly topic: string },
  { environment, console }: CommandContext,
): Promise<number> {
  const target = requireDataDirectory(readSettings(flags, environment));
  const files = listFiles(path.resolve(directory));
  const storage = await openDirectoryStorage(target);
  try {
    const positions = await replayFiles({
      log: storage.log,
      blobs: storage.blobs,
      topic: flags.topic,
      files: files.map((name) => ({ name, read: () => readFile(path.join(directory, name)) })),
      parseYaml: (text) => parse(text, { maxAliasCount: 0 }),
      onProgress: (done, all) => console.err(`${done}/${all}`),
    });
    console.out(`appended ${positions.length} events to ${flags.topic}`);
    return EXIT.ok;
  } finally {
    await storage.close();
  }
}

function listFiles(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch (cause) {
    throw usageError(`${directory} cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}
