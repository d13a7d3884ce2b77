import { OPERATIONS } from '../composition/operations.ts';
import { openDirectoryStorage } from '../composition/storage.ts';
import { openService } from '../composition/wiring.ts';
import { callServer } from '../control/client.ts';
import type { OperationArguments, OperationLine } from '../control/operation.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { createLogger } from '../operations/log.ts';
import { Notices } from '../operations/notices.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, requireEvents, type SettingFlags, type Settings } from './settings.ts';

/** The operation that may be the first on a data directory. */
const BEGINS_DATA = 'load';

/** Runs an operator's command: in the server that uses the data directory, else on the data itself under its lock. */
export async function runOperation(
  name: string,
  args: OperationArguments,
  flags: SettingFlags,
  { environment, console }: CommandContext,
): Promise<number> {
  const settings = readSettings(flags, environment);
  const directory = name === BEGINS_DATA ? requireDataDirectory(settings) : requireEvents(settings);
  const lines =
    (await callServer(controlSocketPath(directory), name, args)) ?? runAlone(name, args, directory, settings);
  for await (const { type, text } of lines) {
    if (type === 'result') console.out(text);
    else console.err(text);
  }
  return EXIT.ok;
}

async function* runAlone(
  name: string,
  args: OperationArguments,
  directory: string,
  { configuration }: Settings,
): AsyncIterable<OperationLine> {
  const operation = OPERATIONS.get(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const storage = await openDirectoryStorage(directory);
  try {
    const logger = createLogger(configuration.server.logLevel);
    const service = await openService({ configuration, storage, adapters: {}, logger, notices: new Notices() });
    try {
      yield* operation.run(service, args, new AbortController().signal);
    } finally {
      await service.close();
    }
  } finally {
    await storage.close();
  }
}
