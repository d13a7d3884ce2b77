import { existsSync } from 'node:fs';
import path from 'node:path';
import { refuseUnfinishedRestore } from '../backups/marker.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Environment, Layer } from '../config/environment.ts';
import { loadConfiguration } from '../config/load.ts';
import { usageError } from '../control/operation.ts';

export interface SettingFlags {
  readonly data?: string;
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
}

export interface Settings {
  /** `undefined`: everything in memory. */
  readonly dataDirectory: string | undefined;
  readonly configFile: string | undefined;
  readonly configuration: Configuration;
}

/** The configuration that a data directory may hold, used when no other is named. */
export const STORED_CONFIGURATION = 'cairn.yaml';

/**
 * Settings from flags, then environment, then file, then defaults.
 * @throws `ERR_CONFIGURATION`, `ERR_USAGE` (invalid); `ERR_RESTORE_UNFINISHED` (corrupt) when the data directory was not
 *   restored to its end.
 */
export function readSettings(flags: SettingFlags, environment: Environment, fallbackFile?: string): Settings {
  const dataDirectory = dataDirectoryOf(flags, environment);
  if (dataDirectory !== undefined) refuseUnfinishedRestore(dataDirectory);
  const configFile = flags.config ?? storedConfiguration(dataDirectory) ?? fallbackFile;
  const configuration = loadConfiguration({ file: configFile, environment, flags: toLayer(flags) });
  return { dataDirectory, configFile, configuration };
}

/** The data directory of a command that cannot do without. @throws `ERR_USAGE` (invalid). */
export function requireDataDirectory({ dataDirectory }: Settings): string {
  if (dataDirectory !== undefined) return dataDirectory;
  throw usageError('--data DIR (or CAIRN_DATA_DIR) is required');
}

/**
 * The data directory of a command that works on the events in it: a misspelt name must not pass for data without events.
 * @throws `ERR_USAGE` (invalid) when there is none.
 */
export function requireEvents(settings: Settings): string {
  const directory = requireDataDirectory(settings);
  if (existsSync(path.join(directory, 'log'))) return directory;
  throw usageError(`${directory} is no data directory: it has no folder log`);
}

/** The data directory that is named, if any. @throws `ERR_USAGE` (invalid) for a blank name. */
export function dataDirectoryOf(flags: SettingFlags, environment: Environment): string | undefined {
  // A variable of a shell that is not set must not mean: everything in memory.
  if (flags.data?.trim() === '') throw usageError(`--data must name a directory; got ${JSON.stringify(flags.data)}`);
  const named = flags.data ?? environment['CAIRN_DATA_DIR'];
  return named === undefined || named.trim() === '' ? undefined : path.resolve(named);
}

function storedConfiguration(dataDirectory: string | undefined): string | undefined {
  if (dataDirectory === undefined) return undefined;
  const file = path.join(dataDirectory, STORED_CONFIGURATION);
  return existsSync(file) ? file : undefined;
}

function toLayer({ host, port }: SettingFlags): Layer {
  const values = new Map<string, unknown>();
  if (host !== undefined) values.set('server.host', host);
  if (port !== undefined) values.set('server.port', toPort(port));
  return { source: 'flags', values };
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usageError(`--port must be 0 to 65535; got ${JSON.stringify(text.slice(0, 50))}`);
}
