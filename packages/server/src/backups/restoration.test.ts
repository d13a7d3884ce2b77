import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileSystem, OpenFile } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../commands/main.ts';
import { createServer } from '../composition/create-server.ts';
import { createFaultyDisk } from '../proofs/testing/faulty-disk.ts';
import { createRandom } from '../proofs/testing/random.ts';
import { eventually, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';
import { filesBelow } from './contents.ts';
import { RESTORE_MARKER } from './marker.ts';
import { restoreBackup } from './restoration.ts';

const LONG = process.env['CAIRN_LONG'] !== undefined;

const home = mkdtempSync(path.join(tmpdir(), 'cairn-restoration-'));
const data = path.join(home, 'data');
const whole = path.join(home, 'whole');
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

beforeAll(async () => {
  const { server, upload, update, get } = await startTestServer(TEST_CONFIGURATION, data);
  const texts = { 'small.txt': 'lunar Ada', 'large.txt': `lunar Grace ${'filler '.repeat(200_000)}` };
  expect((await upload('alice', '*', texts)).status).toBe(202);
  expect((await update('alice', '*', 'INSERT DATA { <urn:a> <urn:b> "c" }')).status).toBe(200);
  await eventually(async () =>
    (await get('alice', '/api/search/documents?query=lunar')).results.length === 2 ? true : undefined,
  );
  await server.close();
  writeFileSync(path.join(data, 'cairn.yaml'), JSON.stringify(TEST_CONFIGURATION));
  expect(await cairn('backup', '--data', data, whole)).toMatchObject({ status: 0 });
}, 60_000);

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function cairn(...args: string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const console = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const status = await runCommandLine(args, { environment: {}, console });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

function fresh(name: string): string {
  const directory = path.join(mkdtempSync(path.join(home, 'case-')), name);
  onTestFinished(() => rmSync(path.dirname(directory), { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** A copy of the backup, and where it may be restored to. */
function copyOfBackup(): { readonly source: string; readonly target: string } {
  const source = fresh('backup');
  cpSync(whole, source, { recursive: true, preserveTimestamps: true });
  return { source, target: path.join(path.dirname(source), 'restored') };
}

/** Every command that opens a data directory, with what it needs beside. */
const OPENERS = [
  ['serve', '--port', '0'],
  ['token', '--user', 'alice'],
  ['backup', path.join(home, 'another')],
  ['load', 'knowledge', 'people.ttl'],
  ['rebuild', 'search'],
  ['forget', 'https://example.org/1'],
  ['dead-letters', 'list'],
  ['replay', '--topic', 'knowledge', home],
  ['restore', whole],
];

/** Checks that nothing takes a directory for a whole one, and that what to do about it is said. */
async function expectRefused(target: string): Promise<void> {
  const before = await filesBelow(target);
  for (const command of OPENERS) {
    const { status, out, err } = await cairn(...command, '--data', target);
    expect([status, out, err], command.join(' ')).toEqual([
      1,
      '',
      expect.stringContaining(`a restore into ${target} did not end; empty it and restore again`),
    ]);
  }
  const server = createServer({ configuration: TEST_CONFIGURATION, dataDirectory: target });
  await expect(server.start()).rejects.toMatchObject({ code: 'ERR_RESTORE_UNFINISHED' });
  for (const flags of [[], ['--json'], ['--accept'], ['--give-up-values']]) {
    const { status, out } = await cairn('verify', ...flags, '--data', target);
    expect([status, out]).toEqual([1, expect.stringContaining(`empty ${target} and restore again`)]);
    expect(out).not.toContain('--accept');
  }
  expect(await filesBelow(target), 'what refused it wrote nothing').toEqual(before);
}

/** The file system of the machine until as many steps were made that change it: then the process is as dead. */
function mortalDisk(steps: number): FileSystem & { readonly steps: () => number } {
  let made = 0;
  const step = <T>(change: () => Promise<T>): Promise<T> => {
    if (made >= steps) return Promise.reject(new Error('killed'));
    made++;
    return change();
  };
  const mortalFile = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => file.read(buffer, position),
    // Half of it is there when it dies.
    write: async (bytes, position) => {
      await step(() => file.write(bytes.subarray(0, bytes.length >> 1), position));
      await step(() => file.write(bytes.subarray(bytes.length >> 1), position + (bytes.length >> 1)));
    },
    sync: () => step(() => file.sync()),
    truncate: (sizeBytes) => step(() => file.truncate(sizeBytes)),
    size: () => file.size(),
    close: () => file.close(),
  });
  return {
    ...nodeFileSystem,
    steps: () => made,
    open: async (file, mode) => mortalFile(await step(() => nodeFileSystem.open(file, mode))),
    rename: (from, to) => step(() => nodeFileSystem.rename(from, to)),
    link: (existing, to) => step(() => nodeFileSystem.link(existing, to)),
    remove: (file) => step(() => nodeFileSystem.remove(file)),
    removeDirectory: (directory) => step(() => nodeFileSystem.removeDirectory(directory)),
    makeDirectory: (directory) => step(() => nodeFileSystem.makeDirectory(directory)),
    syncDirectory: (directory) => step(() => nodeFileSystem.syncDirectory(directory)),
  };
}

describe('a restore that is killed', () => {
  it('leaves nothing, a directory that no command opens, or the whole backup, wherever it was', async () => {
    const say = (): void => undefined;
    const all = mortalDisk(Number.POSITIVE_INFINITY);
    await restoreBackup({ source: whole, target: fresh('r'), isIncomplete: false, say, fileSystem: all });
    const random = createRandom(7);
    const points = LONG ? [...Array(all.steps()).keys()] : Array.from({ length: 12 }, () => random(all.steps()));
    const ends = new Set<string>();
    for (const point of [0, 1, 2, all.steps() - 2, all.steps() - 1, ...points]) {
      const target = fresh('r');
      const fileSystem = mortalDisk(point);
      await expect(restoreBackup({ source: whole, target, isIncomplete: false, say, fileSystem })).rejects.toThrow();
      const files = existsSync(target) ? readdirSync(target) : [];
      if (files.length === 0) ends.add('nothing');
      else if (files.includes(RESTORE_MARKER)) {
        ends.add('refused');
        await expectRefused(target);
        rmSync(target, { recursive: true });
        expect((await cairn('restore', '--data', target, whole)).status, `again after ${point} steps`).toBe(0);
      } else {
        ends.add('whole');
        expect((await cairn('verify', '--data', target)).status, `after ${point} steps`).toBe(0);
      }
      if (existsSync(target) && !files.includes(RESTORE_MARKER) && files.length > 0) await expectSame(target);
    }
    expect([...ends].sort()).toEqual(['nothing', 'refused', 'whole']);
  }, 240_000);

  it('says which file did not fit on a full disk, and what to do', async () => {
    const target = fresh('r');
    const disk = createFaultyDisk();
    const fileSystem: FileSystem = {
      ...disk,
      open: async (file, mode) => {
        if (path.basename(file).endsWith('.seg')) disk.fault = { step: 'write', code: 'ENOSPC', writesBytes: 20 };
        return disk.open(file, mode);
      },
    };
    const restoring = restoreBackup({ source: whole, target, isIncomplete: false, say: () => undefined, fileSystem });
    await expect(restoring).rejects.toMatchObject({
      code: 'ERR_FILE_WRITE',
      message: expect.stringMatching(/^cannot write .*\.seg: ENOSPC.*make room.*\n.* is not whole.*empty it/),
    });
    await expectRefused(target);
  });
});

/** Checks that restored files have the bytes and permissions of the backup. */
async function expectSame(target: string): Promise<void> {
  for (const file of (await filesBelow(whole)).filter((one) => one !== 'contents')) {
    const [mine, its] = [path.join(target, file), path.join(whole, file)];
    // The log was opened, and may have recorded anew what it reads.
    if (!file.startsWith('log/')) expect(readFileSync(mine).equals(readFileSync(its)), file).toBe(true);
    expect(statSync(mine).mode & 0o777, file).toBe(statSync(its).mode & 0o777);
  }
}

const HARMS: Readonly<Record<string, (file: string, random: (bound: number) => number) => void>> = {
  removed: (file) => rmSync(file),
  'cut by a byte': (file) => truncateSync(file, statSync(file).size - 1),
  cut: (file, random) => truncateSync(file, random(statSync(file).size)),
  'made longer': (file) => appendFileSync(file, '\n'),
  flipped: (file, random) => {
    const bytes = readFileSync(file);
    const at = random(bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    writeFileSync(file, bytes);
  },
};

describe('a backup of which a file is damaged', () => {
  it('lists every file that it has', async () => {
    const files = (await filesBelow(whole)).map((file) =>
      file.replace(/[0-9a-f]{64}$/, 'HASH').replace(/\d{16}|[0-9a-f-]{36}/, 'N'),
    );
    expect(new Set(files)).toEqual(
      new Set([
        'blobs/blobs/uploads=/N=/HASH',
        'blobs/blobs/values=/HASH',
        'cairn.yaml',
        'contents',
        'keys/signing-key.json',
        'log/offsets',
        'log/segments',
        ...['document.entities', 'document.extractrequest', 'document.textandmetadata', 'knowledge'].map(
          (topic) => `log/topics/${topic}/N.seg`,
        ),
      ]),
    );
    expect(await cairn('verify', '--data', whole)).toMatchObject({ status: 0 });
  });

  for (const [harm, doHarm] of Object.entries(HARMS)) {
    it(`is not restored as whole when any file is ${harm}, and the file is named`, async () => {
      for (const [seed, file] of (await filesBelow(whole)).entries()) {
        const { source, target } = copyOfBackup();
        const random = createRandom(seed + 1);
        if (statSync(path.join(source, file)).size === 0) continue;
        doHarm(path.join(source, file), random);
        const verified = await cairn('verify', '--data', source);
        // Without the list it is one of an earlier release, which cannot tell.
        const isTold = !(file === 'contents' && harm === 'removed');
        if (isTold) expect([verified.status, verified.out], file).toEqual([1, expect.stringContaining(file)]);
        const { status, out, err } = await cairn('restore', '--data', target, source);
        expect([status, out, err], file).toEqual([1, '', expect.stringContaining(file)]);
        if (file.startsWith('blobs/')) expect((await cairn('verify', '--data', target)).status, file).toBe(1);
        else if (existsSync(target)) await expectRefused(target);
        rmSync(path.dirname(source), { recursive: true, force: true });
      }
    }, 240_000);
  }

  it('is not restored as whole when folders are missing that nothing else in it tells of', async () => {
    for (const folders of [
      ['log/segments', 'log/topics/knowledge'],
      ['log/segments', 'log/offsets', 'log/topics'],
      ['keys'],
      ['log'],
      ['blobs'],
    ]) {
      const { source, target } = copyOfBackup();
      const gone = (await filesBelow(source)).filter((file) => folders.some((folder) => file.startsWith(folder)));
      for (const folder of folders) rmSync(path.join(source, folder), { recursive: true });
      const { status, err } = await cairn('restore', '--data', target, source);
      expect([status, gone.filter((file) => !err.includes(`damaged: ${file}: `))], folders.join()).toEqual([1, []]);
      expect(existsSync(target), 'only values may be missing').toBe(folders.includes('blobs'));
    }
  });

  it('is restored as far as it goes when told so, with status 1 and everything named, and serves', async () => {
    const { source, target } = copyOfBackup();
    rmSync(path.join(source, 'log/topics/knowledge'), { recursive: true });
    rmSync(path.join(source, 'keys'), { recursive: true });
    const { status, out, err } = await cairn('restore', '--incomplete', '--data', target, source);
    expect([status, out, err]).toEqual([
      1,
      '',
      expect.stringContaining('damaged: keys/signing-key.json: it is missing'),
    ]);
    expect(err).toContain('damaged: log/topics/knowledge/');
    const { server, get } = await startTestServer(
      { ...TEST_CONFIGURATION, server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' } },
      target,
    );
    await eventually(async () =>
      (await get('alice', '/api/search/documents?query=lunar')).results.length === 2 ? true : undefined,
    );
    await server.close();
  });

  it('of an earlier release, without a list, is restored only when told so', async () => {
    const { source, target } = copyOfBackup();
    rmSync(path.join(source, 'contents'));
    const refused = await cairn('restore', '--data', target, source);
    expect([refused.status, refused.err, existsSync(target)]).toEqual([
      1,
      expect.stringContaining('--incomplete'),
      false,
    ]);
    const { status, out, err } = await cairn('restore', '--incomplete', '--data', target, source);
    expect([status, out, err]).toEqual([
      0,
      expect.stringContaining('restored '),
      expect.stringContaining('nobody can tell'),
    ]);
    await expectSame(target);
  });

  it('and one that did not end is told from a whole one', async () => {
    const { source, target } = copyOfBackup();
    truncateSync(path.join(source, 'contents'), 0);
    const { status, err } = await cairn('restore', '--data', target, source);
    expect([status, err, existsSync(target)]).toEqual([1, expect.stringContaining('the backup did not end'), false]);
    expect(await cairn('verify', '--data', source)).toMatchObject({
      status: 1,
      out: expect.stringContaining('did not end'),
    });
  });

  it('of a later release is refused by name', async () => {
    const { source, target } = copyOfBackup();
    const contents = path.join(source, 'contents');
    writeFileSync(contents, readFileSync(contents, 'utf8').replace('cairn-backup 1', 'cairn-backup 2'));
    const { status, err } = await cairn('restore', '--incomplete', '--data', target, source);
    expect([status, err]).toEqual([1, expect.stringContaining(`${contents} has format version 2`)]);
  });
});

describe('a backup', () => {
  it('is no data directory: no command opens it, and what is not of it is not restored', async () => {
    const { source, target } = copyOfBackup();
    const before = await filesBelow(source);
    for (const command of OPENERS.filter(([name]) => name !== 'restore')) {
      const { status, err } = await cairn(...command, '--data', source);
      expect([status, err], command.join(' ')).toEqual([1, expect.stringContaining(`${source} is a backup`)]);
    }
    for (const flag of ['--accept', '--give-up-values'])
      expect(await cairn('verify', flag, '--data', source)).toMatchObject({ status: 1, out: '' });
    expect(await filesBelow(source)).toEqual(before);
    writeFileSync(path.join(source, 'log/README'), 'of the first of the month');
    const { status, err } = await cairn('restore', '--data', target, source);
    expect([status, err]).toEqual([0, expect.stringContaining('passed over: log/README')]);
    expect(existsSync(path.join(target, 'log/README'))).toBe(false);
    await expectSame(target);
  });
});
