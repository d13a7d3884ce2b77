import type { FileSystem } from '@cairn/storage-fs';
import { OPERATIONS } from '../composition/operations.ts';
import { openDirectoryStorage, type Storage } from '../composition/storage.ts';
import { openService } from '../composition/wiring.ts';
import { backUpReadOnly, backup } from '../control/backup.ts';
import { callServer } from '../control/client.ts';
import type { OperationArguments, OperationLine } from '../control/operation.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { isReadOnlyDisk } from '../operations/file-access.ts';
import { createLogger } from '../operations/log.ts';
import { type CommandContext, printLines } from './outcome.ts';
import { readSettings, requireDataDirectory, requireEvents, type SettingFlags, type Settings } from './settings.ts';

const BEGINS_DATA = 'load';

/** Runs an operator's command: in the server that uses the data directory, else on the data itself under its lock. */
export async function runOperation(
  name: string,
  args: OperationArguments,
  flags: SettingFlags,
  { environment, console, fileSystem }: CommandContext,
): Promise<number> {
  const settings = readSettings(flags, environment);
  const directory = name === BEGINS_DATA ? requireDataDirectory(settings) : requireEvents(settings);
  const lines =
    (await callServer(controlSocketPath(directory), name, args)) ??
    runAlone({ name, args, directory, settings, fileSystem });
  return printLines(lines, console);
}

interface Command {
  readonly name: string;
  readonly args: OperationArguments;
  readonly directory: string;
  readonly settings: Settings;
  readonly fileSystem: FileSystem | undefined;
}

async function* runAlone({ name, args, directory, settings, fileSystem }: Command): AsyncIterable<OperationLine> {
  const { configuration } = settings;
  const operation = OPERATIONS.get(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const storage = await openToRun(name, directory, fileSystem);
  if (storage === undefined) {
    yield* backUpReadOnly(directory, args);
    return;
  }
  try {
    const logger = createLogger(configuration.server.logLevel);
    const service = await openService({ configuration, storage, adapters: {}, logger, notices: new Map() });
    try {
      yield* operation.run(service, args, new AbortController().signal);
    } finally {
      await service.close();
    }
  } finally {
    await storage.close();
  }
}

/** The storage of a directory; `undefined` for a backup where nobody can write, which needs none. */
async function openToRun(
  name: string,
  directory: string,
  fileSystem: FileSystem | undefined,
): Promise<Storage | undefined> {
  try {
    return await openDirectoryStorage(directory, fileSystem === undefined ? {} : { fileSystem });
  } catch (error) {
    if (name === backup.name && isReadOnlyDisk(error)) return undefined;
    throw error;
  }
}
