import { stringify } from 'yaml';
import type { Configuration } from '../config/configuration.ts';
import { type CommandContext, EXIT } from './outcome.ts';
import { readSettings, type SettingFlags } from './settings.ts';

/** `cairn config check`: says whether a configuration can be used. @throws `ERR_CONFIGURATION` (invalid) when not. */
export function checkConfiguration(
  flags: SettingFlags & { readonly printConfig?: boolean },
  { environment, console }: CommandContext,
): number {
  const { configuration, configFile } = readSettings(flags, environment);
  if (flags.printConfig === true) console.out(toYaml(configuration));
  else console.out(`${configFile ?? 'the defaults'}: no faults`);
  return EXIT.ok;
}

export function toYaml(configuration: Configuration): string {
  return stringify(configuration, { lineWidth: 0 }).trimEnd();
}
