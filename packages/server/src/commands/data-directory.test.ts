import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './main.ts';

const CONFIGURATION = 'server: {metrics: {enabled: false}}\nauth: {users: {alice: {}}}\n';

/** Commands that work on events that are there, with what each needs beside the directory. */
const ON_EVENTS = [
  ['backup', 'BACKUP'],
  ['rebuild', 'search'],
  ['forget', 'https://example.org/1'],
  ['forget', '--dry-run', 'https://example.org/1'],
  ['dead-letters', 'list'],
  ['dead-letters', 'show', 'knowledge', '0'],
  ['dead-letters', 'retry', 'knowledge'],
  ['verify'],
];

const EVERY_COMMAND = [
  ...ON_EVENTS,
  ['serve'],
  ['token', '--user', 'alice'],
  ['restore', '.'],
  ['replay', '--topic', 'knowledge', '.'],
  ['load', 'knowledge', 'people.ttl'],
];

let home = '';
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'cairn-directory-'));
  writeFileSync(path.join(home, 'cairn.yaml'), CONFIGURATION);
});
afterEach(() => rmSync(home, { recursive: true }));

async function run(
  command: readonly string[],
  directory: string,
): Promise<{ readonly status: number; readonly err: string }> {
  const err: string[] = [];
  const console = { out: () => undefined, err: (line: string) => void err.push(line) };
  const args = command.map((arg) => (arg === 'BACKUP' ? path.join(home, 'backup') : arg));
  const line = [...args, '--data', directory, '--config', path.join(home, 'cairn.yaml')];
  const status = await runCommandLine(line, { environment: {}, console });
  return { status, err: err.join('\n') };
}

describe('the data directory of a command', () => {
  it.each(ON_EVENTS)('is not made by %s where a name is misspelt, and the command fails', async (...command) => {
    const misspelt = path.join(home, 'var/lib/carin');
    expect(await run(command, misspelt)).toEqual({
      status: 2,
      err: `cairn: ${misspelt} is no data directory: it has no folder log`,
    });
    expect([existsSync(misspelt), existsSync(path.join(home, 'backup'))]).toEqual([false, false]);
  });

  it.each(EVERY_COMMAND)(
    'is asked for by %s where its name is blank, as a shell makes it of a variable that is not set',
    async (...command) => {
      for (const blank of ['', ' ']) {
        const { status, err } = await run(command, blank);
        expect([status, err]).toEqual([2, `cairn: --data must name a directory; got "${blank}"`]);
      }
    },
  );

  it('is named with the reason, and without a stack, where it cannot be made', async () => {
    const file = path.join(home, 'file');
    writeFileSync(file, '');
    const nowhere = path.join(home, 'unmounted');
    symlinkSync(path.join(home, 'disk/cairn'), nowhere);
    for (const [directory, code] of [
      [file, 'EEXIST'],
      [path.join(file, 'data'), 'ENOTDIR'],
      [nowhere, 'ENOENT'],
    ] as const) {
      const { status, err } = await run(['serve', '--port', '0'], directory);
      expect([status, err]).toEqual([1, expect.stringMatching(new RegExp(`^cairn: ${code}: [^\\n]*'${directory}'$`))]);
    }
  });

  it('says why a backup could not be written', async () => {
    mkdirSync(path.join(home, 'data/log'), { recursive: true });
    const target = path.join(home, 'cairn.yaml/backup');
    const { status, err } = await run(['backup', target], path.join(home, 'data'));
    expect([status, err]).toEqual([1, expect.stringMatching(/^cairn: ENOTDIR: [^\n]*cairn\.yaml\/backup'$/)]);
  });
});
