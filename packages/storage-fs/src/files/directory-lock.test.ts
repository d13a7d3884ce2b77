import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openFileEventLog } from '../index.ts';
import { buildScript } from '../testing/build-script.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { lockDirectory } from './directory-lock.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { currentProcess } from './process-identity.ts';

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid!;
}

async function writeLock(directory: string, owner: object, name = 'lock'): Promise<void> {
  await writeFile(path.join(directory, name), JSON.stringify({ ...currentProcess(), token: TOKEN, ...owner }));
}

const TOKEN = '00000000-0000-4000-8000-000000000000';

it('refuses a second holder by the number of the process that has the lock', async () => {
  const directory = await temporaryDirectory();
  const lock = await lockDirectory(directory);
  const refused = { code: 'ERR_LOG_LOCKED', kind: 'conflict', message: expect.stringContaining(String(process.pid)) };
  await expect(lockDirectory(directory)).rejects.toMatchObject(refused);
  await expect(openFileEventLog({ directory })).rejects.toMatchObject(refused);
  await lock.release();
  await (await lockDirectory(directory)).release();
  expect(await readdir(directory)).toEqual(['topics']);
});

it('names who has the lock where nothing can be written, and else says why it cannot be taken', async () => {
  const directory = await temporaryDirectory();
  const readOnly: FileSystem = {
    ...nodeFileSystem,
    open: async (file, mode) => {
      if (mode !== 'read') throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      return nodeFileSystem.open(file, mode);
    },
  };
  await expect(lockDirectory(directory, readOnly)).rejects.toMatchObject({ code: 'EROFS' });
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory, readOnly)).rejects.toMatchObject({ code: 'ERR_LOG_LOCKED' });
  await lock.release();
  await writeLock(directory, { pid: await deadProcess() });
  await expect(lockDirectory(directory, readOnly)).rejects.toMatchObject({ code: 'EROFS' });
});

it('takes over the lock of a dead process, of an earlier run of the machine, and a damaged one', async () => {
  const stale: object[] = [{ pid: await deadProcess() }, { boot: 'earlier' }, { started: '1' }, { token: 'x' }];
  for (const owner of stale) {
    const directory = await temporaryDirectory();
    await writeLock(directory, owner);
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'ERR_LOG_LOCKED' });
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
  }
});

it('takes over from one that died while it was taking over', async () => {
  const directory = await temporaryDirectory();
  const pid = await deadProcess();
  await writeLock(directory, { pid });
  await writeLock(directory, { pid, token: TOKEN.replace('0', '1') }, `lock.${TOKEN}`);
  await writeLock(directory, { pid }, `lock.${TOKEN}.tmp`);
  const lock = await lockDirectory(directory);
  expect(await readdir(directory)).toEqual(['lock']);
  await lock.release();
});

it('gives a stale lock to one of many', async () => {
  for (let round = 0; round < 10; round++) {
    const directory = await temporaryDirectory();
    await writeLock(directory, { boot: 'earlier' });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
    const taken = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(taken.length).toBeLessThanOrEqual(1);
    const owners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const owner of owners) await owner.release();
    await (await lockDirectory(directory)).release();
  }
});

it('keeps a second process out while the first lives, and lets it in after kill -9', async () => {
  const directory = await temporaryDirectory();
  const script = await buildScript('crash-writer.ts', await temporaryDirectory());
  const child = spawn(process.execPath, [script, directory, '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const refused = { code: 'ERR_LOG_LOCKED', message: expect.stringContaining(`process ${child.pid} `) };
  await expect(openFileEventLog({ directory })).rejects.toMatchObject(refused);
  child.kill('SIGKILL');
  await exited;
  const log = await openFileEventLog({ directory });
  await log.close();
});

it('is held by one on a full disk too, which leaves nothing, and is taken over from one that died there', async () => {
  const fileSystem = new FaultyFileSystem();
  fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'lock' });
  const stale: object[] = [{ pid: await deadProcess() }, { boot: 'earlier' }];
  for (const owner of [undefined, ...stale]) {
    const directory = await temporaryDirectory();
    if (owner !== undefined) await writeLock(directory, owner);
    const lock = await lockDirectory(directory, fileSystem);
    for (const other of [fileSystem, undefined]) {
      const refused = { code: 'ERR_LOG_LOCKED', message: expect.stringContaining(String(process.pid)) };
      await expect(lockDirectory(directory, other)).rejects.toMatchObject(refused);
    }
    await lock.release();
    expect(await readdir(directory)).toEqual([]);
    const { started, boot } = currentProcess();
    await writeFile(path.join(directory, 'lock'), '');
    await writeFile(path.join(directory, `lock.${await deadProcess()}.${started}.${boot}.${TOKEN}.tmp`), '');
    const next = await lockDirectory(directory, fileSystem);
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: 'ERR_LOG_LOCKED' });
    await next.release();
    expect(await readdir(directory)).toEqual([]);
  }
});
