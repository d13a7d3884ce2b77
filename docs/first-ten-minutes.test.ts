import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * The first ten minutes of the README, as a reader would have them: the built server with the demo, and the `sh` fences
 * of the section in one shell, with nothing changed but the port, the data directory and where note.txt is written.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cli = path.join(root, 'packages/server/dist/cli.js');

let server: ChildProcess;
let directory: string;
let address: string;

function fencesOfSection(heading: string): string[] {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const section = readme.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '');
}

/** Runs the fences in one shell and returns what each printed. */
function run(fences: readonly string[]): string[] {
  const separator = '=====';
  const script = fences
    .map((fence) => fence.replaceAll('http://127.0.0.1:8080', address).replaceAll('.cairn-data', directory))
    .map((fence) => fence.replaceAll('note.txt', path.join(directory, 'note.txt')))
    .join(`\necho '${separator}'\n`);
  const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', script], { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.split(`${separator}\n`);
}

const totals = (printed: string) => [...printed.matchAll(/"results":(\[\]|\[\{)/g)].map(([, start]) => start === '[{');

beforeAll(async () => {
  if (!existsSync(cli)) throw new Error('packages/server/dist/cli.js is missing; run npm run build:fast');
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-readme-'));
  server = spawn(process.execPath, [cli, 'serve', '--demo', '--data', directory, '--port', '0'], { cwd: root });
  address = await new Promise((resolve, reject) => {
    let printed = '';
    server.stdout?.on('data', (chunk) => {
      printed += chunk;
      const ready = /listening on (http:\S+)/.exec(printed);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
});

afterAll(async () => {
  server.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
});

describe('the first ten minutes of the README', () => {
  it('give what the text says', async () => {
    const fences = fencesOfSection('The first ten minutes');
    const [tokens, search, upload, update, query] = run(fences);
    expect(tokens).toBe('');
    expect(totals(search ?? '')).toEqual([true, false]);
    expect(upload).toContain('"successful":true');
    expect(update).toMatch(/"primaryName":"Earthrise mission"/);
    expect(query?.trim().split(/\r?\n/)).toEqual([
      'name,missions',
      'David Scott,2',
      'Eugene Cernan,2',
      'James Lovell,2',
      'John Young,2',
    ]);

    const before = (search?.match(/"score"/g) ?? []).length;
    const again = () => run([fences[0] ?? '', fences[1] ?? ''])[1] ?? '';
    await expect.poll(() => (again().match(/"score"/g) ?? []).length, { timeout: 20_000 }).toBe(before + 1);
  });
});
