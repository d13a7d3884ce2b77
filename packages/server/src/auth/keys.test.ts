import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSigningKey } from './keys.ts';

it('refuses a key file of which any byte is wrong, or that is cut, by its path and with a way out', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-keys-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { publicJwk } = await openSigningKey(directory);
  const file = path.join(directory, 'keys', 'signing-key.json');
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 4, at);
    for (const bytes of [damaged, whole.subarray(0, at)]) {
      writeFileSync(file, bytes);
      await expect(openSigningKey(directory), `byte ${at}`).rejects.toMatchObject({
        code: 'ERR_SIGNING_KEY',
        message: expect.stringMatching(/signing-key\.json .* or remove it to have another made/),
      });
    }
  }
  writeFileSync(file, whole);
  expect((await openSigningKey(directory)).publicJwk).toEqual(publicJwk);
});

it.each([
  ['a folder', (file: string) => mkdirSync(file, { recursive: true })],
  [
    'a pipe',
    (file: string) => {
      mkdirSync(path.dirname(file));
      execFileSync('mkfifo', [file]);
    },
  ],
])('refuses %s in the place of the key file, and does not wait for it', async (_kind, make) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-keys-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  make(path.join(directory, 'keys', 'signing-key.json'));
  await expect(openSigningKey(directory)).rejects.toMatchObject({
    code: 'ERR_SIGNING_KEY',
    message: expect.stringContaining('signing-key.json is no file'),
  });
});
