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
  // The shell starts a child and becomes `sleep`, which waits for nobody; only then is the child killed, or the shell
  // might still reap it. The child stays a zombie.
  const parent = spawn('bash', ['-c', 'sleep 60 & echo $!; exec -a childless sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (chunk) => resolve(Number(chunk))));
    const fieldsOf = (id: number) =>
      readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
    const commandOf = (id: number) => readFileSync(`/proc/${id}/cmdline`, 'utf8');
    await expect.poll(() => commandOf(parent.pid as number), { timeout: 30_000 }).toMatch(/^childless/);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => fieldsOf(pid)[0], { timeout: 30_000 }).toBe('Z');
    expect(isAlive({ ...currentProcess(), pid, started: fieldsOf(pid)[19] ?? '' })).toBe(false);
  } finally {
    parent.kill('SIGKILL');
  }
});
