import { isCodedError } from '@cairn/errors';
import type { Finding } from '../verification/finding.ts';
import { type VerifiedData, verifyStoredData } from '../verification/stored-data.ts';
import { CONTENTS_FILE, checkContents, readContents } from './contents.ts';

const REMEDY =
  'take another backup while the data is there; cairn restore --incomplete restores what is left of this one';

/**
 * Reports damage to a backup, by its own list and by the checksums in its files. Changes nothing. Cost: reads
 * everything twice.
 * @throws what the medium throws
 */
export async function* verifyBackup(directory: string, verified: VerifiedData): AsyncGenerator<Finding> {
  const named = new Set<string>();
  for await (const { file: what, reason } of differences(directory)) {
    named.add(what);
    yield { area: 'backup', what, reason, remedy: REMEDY };
  }
  for await (const finding of verifyStoredData({ directory }, verified)) {
    if (!named.has(finding.what)) yield finding;
  }
}

async function* differences(directory: string): ReturnType<typeof checkContents> {
  try {
    const contents = await readContents(directory);
    if (contents !== undefined) yield* checkContents(directory, contents);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    yield { file: CONTENTS_FILE, reason: error.message };
  }
}
