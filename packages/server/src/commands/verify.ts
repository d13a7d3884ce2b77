import { existsSync } from 'node:fs';
import path from 'node:path';
import { openFileEventLog, readLogCuts, repairFileEventLog } from '@cairn/storage-fs';
import { openCachesToRead } from '../composition/cache-reading.ts';
import { callServer } from '../control/client.ts';
import type { OperationLine } from '../control/operation.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { acceptedLines, giveUpValues, VerifyReport } from '../control/verify.ts';
import { verifyPositions } from '../verification/caches.ts';
import { createVerifiedData, ofCache, verifyStoredData } from '../verification/stored-data.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, type SettingFlags, type Settings, usageError } from './settings.ts';

/** The flags of `cairn verify`. */
export interface VerifyFlags extends SettingFlags {
  readonly accept?: boolean;
  readonly giveUpValues?: boolean;
  readonly json?: boolean;
}

/**
 * `cairn verify`: reads a data directory whole, in the server that uses it or by itself, and says what is damaged.
 * @throws `ERR_DAMAGED` (corrupt) when anything is, `ERR_USAGE` (invalid) when there is no log
 */
export async function verify(flags: VerifyFlags, { environment, console }: CommandContext): Promise<number> {
  const settings = readSettings(flags, environment);
  const directory = requireDataDirectory(settings);
  if (!existsSync(path.join(directory, 'log')))
    throw usageError(`${directory} is no data directory: it has no folder log`);
  const args = { accept: textOf(flags.accept), giveUpValues: textOf(flags.giveUpValues), json: textOf(flags.json) };
  const lines =
    (await callServer(controlSocketPath(directory), 'verify', args)) ?? verifyStopped(directory, settings, flags);
  for await (const { type, text } of lines) {
    if (type === 'result') console.out(text);
    else console.err(text);
  }
  return EXIT.ok;
}

function textOf(flag: boolean | undefined): string | undefined {
  return flag === true ? 'true' : undefined;
}

async function* verifyStopped(
  directory: string,
  { configuration }: Settings,
  { accept = false, giveUpValues: isGivingUp = false, json = false }: VerifyFlags,
): AsyncGenerator<OperationLine> {
  if (accept) yield* repair(path.join(directory, 'log'));
  const verified = createVerifiedData();
  const report = new VerifyReport(json);
  for await (const finding of verifyStoredData({ directory }, verified)) yield report.line(finding);
  const caches = await openCachesToRead(directory, configuration);
  for (const { name, error } of caches.damaged) yield report.line(ofCache(name, error));
  // Where the log ends is known only of one that can be read.
  if (!report.hasLogDamage) {
    const cuts = await readLogCuts(path.join(directory, 'log'));
    for (const finding of verifyPositions(caches.opened, verified.ends, cuts)) yield report.line(finding);
  }
  await caches.close();
  if (isGivingUp) yield* giveUp(path.join(directory, 'log'), verified);
  yield report.end(verified);
}

async function* repair(directory: string): AsyncGenerator<OperationLine> {
  const { cuts, setAside } = await repairFileEventLog({ directory, mayBeTrimmed: false });
  for (const { file, keptIn } of setAside)
    yield { type: 'progress', text: `set aside: log/${file} is log/${keptIn} now` };
  yield* acceptedLines(cuts);
  const log = await openFileEventLog({ directory });
  try {
    yield* acceptedLines(await log.acceptCuts());
  } finally {
    await log.close();
  }
}

async function* giveUp(directory: string, verified: Parameters<typeof giveUpValues>[1]): AsyncGenerator<OperationLine> {
  const log = await openFileEventLog({ directory });
  try {
    yield* giveUpValues(log, verified);
  } finally {
    await log.close();
  }
}
