import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { openSigningKey } from '../auth/keys.ts';
import { refuseBackup } from '../backups/contents.ts';
import { usageError } from '../control/operation.ts';
import { naming } from '../operations/file-access.ts';
import { type CommandContext, EXIT } from './outcome.ts';
import { readSettings, requireDataDirectory, type SettingFlags } from './settings.ts';

/** `cairn token`: prints a signed token for a configured user. @throws `ERR_USAGE` (invalid) for another user. */
export async function printToken(
  flags: SettingFlags & { readonly user: string; readonly seconds?: string },
  { environment, console }: CommandContext,
): Promise<number> {
  const settings = readSettings(flags, environment);
  const directory = requireDataDirectory(settings);
  const { auth } = settings.configuration;
  if (auth.mode !== 'local') throw usageError(`tokens are for auth.mode local; it is ${auth.mode}`);
  if (!Object.hasOwn(auth.users, flags.user)) {
    const known = Object.keys(auth.users).join(', ');
    throw usageError(
      `--user must be one of ${known === '' ? 'none: auth.users is empty' : known}; got ${JSON.stringify(flags.user.slice(0, 100))}`,
    );
  }
  refuseBackup(directory);
  await naming('write', directory, () => nodeFileSystem.makeDirectory(directory));
  const key = await openSigningKey(directory);
  const lifeSeconds = flags.seconds === undefined ? auth.tokenSeconds : toSeconds(flags.seconds);
  console.out(await key.sign(flags.user, { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds }));
  return EXIT.ok;
}

function toSeconds(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`--seconds must be a whole number of at least 1; got ${JSON.stringify(text.slice(0, 50))}`);
}
