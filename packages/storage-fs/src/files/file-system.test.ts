import { existsSync } from 'node:fs';
import { stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { nodeFileSystem } from './file-system.ts';

it('makes a folder and those above it, for its owner, and names the topmost new one', async () => {
  const home = await temporaryDirectory();
  const deep = path.join(home, 'a/b/c');
  expect(await nodeFileSystem.makeDirectory(deep)).toBe(path.join(home, 'a'));
  expect((await stat(deep)).mode & 0o777).toBe(0o700);
  expect(await nodeFileSystem.makeDirectory(deep)).toBeUndefined();
  expect(await nodeFileSystem.makeDirectory(`${deep}/d`)).toBe(`${deep}/d`);
  await symlink(deep, path.join(home, 'link'));
  expect(await nodeFileSystem.makeDirectory(path.join(home, 'link'))).toBeUndefined();
});

it('fails with the error of the system where no folder can be made', async () => {
  const home = await temporaryDirectory();
  await writeFile(path.join(home, 'file'), '');
  await symlink(path.join(home, 'nowhere/else'), path.join(home, 'link'));
  await symlink('loop', path.join(home, 'loop'));
  const refused = { file: 'EEXIST', 'file/below': 'ENOTDIR', link: 'ENOENT', 'link/below': 'ENOENT', loop: 'ELOOP' };
  for (const [name, code] of Object.entries(refused))
    await expect(nodeFileSystem.makeDirectory(path.join(home, name)), name).rejects.toMatchObject({ code });
});

it.skipIf(!existsSync('/proc/self'))('ends where a folder that is there has no such entry', async () => {
  await expect(nodeFileSystem.makeDirectory('/proc/none/deeper/yet')).rejects.toMatchObject({ code: 'ENOENT' });
});
