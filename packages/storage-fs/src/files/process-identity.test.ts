import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currentProcess, isAlive } from './process-identity.ts';

const hasProc = existsSync('/proc/self/stat');

it('this process is alive, and a later one of the same number is another', () => {
  expect(isAlive(currentProcess())).toBe(true);
  if (hasProc) expect(isAlive({ ...currentProcess(), started: '1' })).toBe(false);
  expect(isAlive({ ...currentProcess(), boot: 'another run of the machine' })).toBe(false);
});

it.skipIf(!hasProc)('a killed process that its parent has not waited for is not alive', async () => {
  // The shell starts a child, kills it, and goes on without waiting: the child stays a zombie.
  const parent = spawn('bash', ['-c', 'sleep 60 & echo $!; kill -9 $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (chunk) => resolve(Number(chunk))));
  const fields = () =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  await expect.poll(() => fields()[0], { timeout: 5000 }).toBe('Z');
  expect(isAlive({ ...currentProcess(), pid, started: fields()[19] ?? '' })).toBe(false);
  parent.kill('SIGKILL');
});
