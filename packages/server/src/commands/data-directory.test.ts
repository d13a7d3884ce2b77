import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileSystem } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../composition/create-server.ts';
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
  fileSystem?: FileSystem,
): Promise<{ readonly status: number; readonly err: string }> {
  const err: string[] = [];
  const console = { out: () => undefined, err: (line: string) => void err.push(line) };
  const args = command.map((arg) => (arg === 'BACKUP' ? path.join(home, 'backup') : arg));
  const line = [...args, '--data', directory, '--config', path.join(home, 'cairn.yaml')];
  const status = await runCommandLine(line, { environment: {}, console, ...(fileSystem && { fileSystem }) });
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
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^cairn: cannot write ${directory}: ${code}: [^\\n]*'${directory}'$`)),
      ]);
    }
  });

  it('says why a backup could not be written', async () => {
    mkdirSync(path.join(home, 'data/log'), { recursive: true });
    const target = path.join(home, 'cairn.yaml/backup');
    const { status, err } = await run(['backup', target], path.join(home, 'data'));
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^cairn: cannot read [^\n]*cairn\.yaml\/backup: ENOTDIR: [^\n]*cairn\.yaml\/backup'$/),
    ]);
    const file = path.join(home, 'cairn.yaml');
    expect(await run(['backup', file], path.join(home, 'data'))).toEqual({
      status: 2,
      err: `cairn: ${file} is not a folder`,
    });
    expect(await run(['restore', path.join(home, 'data')], file)).toEqual({
      status: 2,
      err: `cairn: the data directory ${file} is not a folder`,
    });
  });

  it.skipIf(!existsSync('/proc/self'))('ends where the system makes no folder below one that is there', async () => {
    mkdirSync(path.join(home, 'data/log'), { recursive: true });
    const refused = (code: string) =>
      expect.stringMatching(new RegExp(`^cairn: cannot write /proc/cairn/none: ${code}`));
    expect(await run(['backup', '/proc/cairn/none'], path.join(home, 'data'))).toEqual({
      status: 1,
      err: refused('ENOENT'),
    });
    expect(await run(['restore', path.join(home, 'data')], '/proc/cairn/none')).toMatchObject({ status: 1 });
    for (const command of [
      ['serve', '--port', '0'],
      ['token', '--user', 'alice'],
    ])
      expect(await run(command, '/proc/cairn/none')).toEqual({ status: 1, err: refused('ENOENT') });
  });

  it('is backed up from a disk where nobody can write, and the backup is whole', async () => {
    const data = await filledDirectory();
    const before = contentOf(data);
    const { status, err } = await run(['backup', 'BACKUP'], data, readOnlyBelow(data));
    expect([status, err]).toEqual([0, expect.stringContaining('its files are copied as they are')]);
    expect(contentOf(data)).toEqual(before);
    const restored = path.join(home, 'restored');
    expect(await run(['restore', path.join(home, 'backup')], restored)).toMatchObject({ status: 0 });
    for (const file of before.keys()) {
      if (file.startsWith('log/topics/') || file.startsWith('keys/'))
        expect(contentOf(restored).get(file), file).toEqual(before.get(file));
    }
  });

  it('is backed up from such a disk as far as it is whole, and what a crash has torn off is named', async () => {
    const data = await filledDirectory();
    const segment = [...contentOf(data).keys()].find((file) => file.includes('topics/knowledge/')) as string;
    truncateSync(path.join(data, segment), 100);
    const { status, err } = await run(['backup', 'BACKUP'], data, readOnlyBelow(data));
    expect([status, err]).toEqual([1, expect.stringContaining(`damaged: ${segment}: `)]);
    const restored = path.join(home, 'restored');
    expect(await run(['restore', path.join(home, 'backup')], restored)).toMatchObject({ status: 1 });
    const server = createServer({
      configuration: { auth: { mode: 'disabled' }, server: { port: 0 } },
      dataDirectory: restored,
    });
    await server.start();
    await server.close();
  });

  it('says that it cannot be written, and what to do, to every other command on such a disk', async () => {
    const data = await filledDirectory();
    for (const command of [
      ['load', 'knowledge', path.join(home, 'people.ttl')],
      ['rebuild', 'search'],
      ['dead-letters', 'list'],
    ]) {
      const { status, err } = await run(command, data, readOnlyBelow(data));
      const said = new RegExp(`^cairn: cannot write ${data}: EROFS: .*mount it for writing`);
      expect([status, err], command.join(' ')).toEqual([1, expect.stringMatching(said)]);
    }
  });

  it('is not changed by verify, whatever is missing or cannot be read', async () => {
    const data = await filledDirectory();
    rmSync(path.join(data, 'blobs'), { recursive: true });
    const before = contentOf(data);
    expect(await run(['verify'], data)).toMatchObject({ status: 0 });
    expect([contentOf(data), existsSync(path.join(data, 'blobs'))]).toEqual([before, false]);
    rmSync(path.join(data, 'log/offsets'));
    mkdirSync(path.join(data, 'log/offsets'));
    const damaged = contentOf(data);
    expect(await run(['verify'], data)).toEqual({
      status: 1,
      err: 'cairn: 1 thing in the data is damaged or missing; see above',
    });
    expect(contentOf(data)).toEqual(damaged);
  });
});

/** A data directory with a triple, its server stopped. */
async function filledDirectory(): Promise<string> {
  const data = path.join(home, 'data');
  const file = path.join(home, 'people.ttl');
  writeFileSync(file, '<urn:a> <urn:b> "c" .');
  expect(await run(['load', '--label', '*', 'knowledge', file], data)).toMatchObject({ status: 0 });
  return data;
}

function contentOf(directory: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  return new Map(files.map((file) => [path.relative(directory, file), readFileSync(file, 'latin1')]));
}

/** The file system of the machine with a folder that is mounted read-only. */
function readOnlyBelow(directory: string): FileSystem {
  const refuse = (file: string): void => {
    if (!file.startsWith(`${directory}${path.sep}`)) return;
    throw Object.assign(new Error(`EROFS: read-only file system, open '${file}'`), { code: 'EROFS', syscall: 'open' });
  };
  return {
    ...nodeFileSystem,
    open: async (file, mode) => {
      if (mode !== 'read') refuse(file);
      return nodeFileSystem.open(file, mode);
    },
    rename: async (from, to) => {
      refuse(to);
      await nodeFileSystem.rename(from, to);
    },
    link: async (existing, to) => {
      refuse(to);
      await nodeFileSystem.link(existing, to);
    },
    remove: async (file) => {
      refuse(file);
      await nodeFileSystem.remove(file);
    },
  };
}
