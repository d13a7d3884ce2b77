import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodedError } from '@cairn/errors';
import { createEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { openFileEventLog } from '../index.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const EVENT = createEvent({ id: 'a', type: 'test', value: 'a' });

const LOSSES: Readonly<Record<string, (lock: string) => Promise<void>>> = {
  removed: (lock) => rm(lock),
  'moved away': (lock) => rename(lock, `${lock}.old`),
  replaced: (lock) => writeFile(lock, '{}'),
};

for (const [how, lose] of Object.entries(LOSSES)) {
  it(`takes no more writes once its lock is ${how}, and says so by itself; reads go on`, async () => {
    const directory = await temporaryDirectory();
    const told: CodedError[] = [];
    const log = await openFileEventLog({ directory, onLockLost: (error) => told.push(error) });
    const [position] = await log.append('t', [EVENT]);
    await lose(path.join(directory, 'lock'));
    await expect.poll(() => log.writeError, { timeout: 60_000 }).toMatchObject({ code: 'ERR_LOG_LOCK_LOST' });
    const refused = { code: 'ERR_LOG_LOCK_LOST', kind: 'unavailable', retryable: false };
    await expect(log.append('t', [EVENT])).rejects.toMatchObject(refused);
    await expect(log.commit('g', 't', position as string)).rejects.toMatchObject(refused);
    await expect(log.eraseValues('t', () => true)).rejects.toMatchObject(refused);
    expect(await log.checkWritable()).toMatchObject(refused);
    expect(valuesOf(await readAll(log, 't'))).toEqual(['a']);
    expect(told.map(({ code }) => code)).toEqual(['ERR_LOG_LOCK_LOST']);
    await log.close();
  });
}

it('keeps a lock that cannot be read for a while, and one that is empty for lack of room', async () => {
  const fileSystem = new FaultyFileSystem();
  const room = fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'lock' });
  const directory = await temporaryDirectory();
  const log = await openFileEventLog({ directory, fileSystem });
  room();
  const looks = (): number => fileSystem.journal.filter((step) => step.endsWith('/lock')).length;
  const before = looks();
  await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThan(before + 1);
  const end = fileSystem.inject({ step: 'open', code: 'EMFILE', file: 'lock' });
  const after = looks();
  await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThan(after + 1);
  expect(await log.append('t', [EVENT])).toHaveLength(1);
  end();
  await log.close();
});
