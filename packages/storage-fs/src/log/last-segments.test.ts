import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvent, type Event } from '@cairn/events';
import { expect, it } from 'vitest';
import {
  checkLogFiles,
  type FileEventLog,
  type FileEventLogOptions,
  type LogDamage,
  openFileEventLog,
  repairFileEventLog,
} from '../index.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const EPOCH = 2 ** 36;

/** So that each event fills a segment. */
const SMALL: Partial<FileEventLogOptions> = { segmentBytes: 192 };

function event(value: string): Event {
  return createEvent({ id: value, type: 'test', value: value.repeat(300) });
}

function positionOf(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

function fileOf(directory: string, sequence: number, topic = 't'): string {
  return path.join(directory, 'topics', topic, `${positionOf(sequence)}.seg`);
}

async function closedLog(letters: string, options: Partial<FileEventLogOptions> = SMALL): Promise<string> {
  const directory = await temporaryDirectory();
  const log = await openFileEventLog({ directory, ...options });
  for (const letter of letters) await log.append('t', [event(letter)]);
  await log.close();
  return directory;
}

async function opened<T>(
  directory: string,
  use: (log: FileEventLog) => Promise<T>,
  options: Partial<FileEventLogOptions> = SMALL,
): Promise<T> {
  const log = await openFileEventLog({ directory, ...options });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

async function damagesOf(source: AsyncIterable<LogDamage>): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind, file, reason } of source) found.push(`${kind} ${file}: ${reason}`);
  return found;
}

const checked = (directory: string): Promise<string[]> => damagesOf(checkLogFiles({ directory, mayBeTrimmed: false }));

async function lettersIn(log: FileEventLog): Promise<(string | undefined)[]> {
  return valuesOf(await readAll(log, 't', { fromStart: true })).map(([letter]) => letter);
}

const MISSING = 'it is missing, with the last events of the topic';

it.each([
  ['the last of several', 'abc', 2, [2], ['a', 'b']],
  ['the last two', 'abc', 2, [1, 2], ['a']],
  ['the only one', 'a', 0, [0], []],
])('misses %s of the segments of a topic that no consumer has read', async (_which, letters, last, removed, left) => {
  const directory = await closedLog(letters);
  for (const sequence of removed) await rm(fileOf(directory, sequence));
  expect(await checked(directory)).toEqual([`tail topics/t/${positionOf(last)}.seg: ${MISSING}`]);
  await opened(directory, async (log) => {
    expect(await lettersIn(log)).toEqual(left);
    expect(log.allCuts).toMatchObject([{ resumesAt: positionOf(EPOCH), reason: 'the last segment is missing' }]);
    expect(await damagesOf(log.check({ mayBeTrimmed: false }))).toEqual([expect.stringMatching(/^cut topics\/t/)]);
    expect(await log.append('t', [event('z')])).toEqual([positionOf(EPOCH)]);
    await log.acceptCuts();
    expect(await damagesOf(log.check({ mayBeTrimmed: false }))).toEqual([]);
  });
  expect(await checked(directory)).toEqual([]);
  await opened(directory, async (log) => {
    expect(log.allCuts.length).toBe(1);
    expect(await lettersIn(log)).toEqual([...left, 'z']);
  });
});

it('misses a topic that is gone with its folder', async () => {
  const directory = await closedLog('ab');
  await rm(path.join(directory, 'topics', 't'), { recursive: true });
  expect(await checked(directory)).toEqual([`tail topics/t/${positionOf(1)}.seg: ${MISSING}`]);
  await opened(directory, async (log) => {
    expect(log.allCuts).toMatchObject([{ topic: 't', after: undefined }]);
    expect(await log.append('t', [event('z')])).toEqual([positionOf(EPOCH)]);
  });
});

it('misses the segment behind a cut, and goes on behind it once more', async () => {
  const directory = await closedLog('ab');
  await rm(fileOf(directory, 1));
  await opened(directory, (log) => log.append('t', [event('z')]));
  await rm(fileOf(directory, EPOCH));
  expect(await checked(directory)).toContain(`tail topics/t/${positionOf(EPOCH)}.seg: ${MISSING}`);
  await opened(directory, async (log) => {
    expect(await log.append('t', [event('y')])).toEqual([positionOf(2 * EPOCH)]);
    expect(await lettersIn(log)).toEqual(['a', 'y']);
    await log.acceptCuts();
  });
  expect(await checked(directory)).toEqual([]);
});

it('misses nothing after a crash between a segment and the record of it', async () => {
  const directory = await closedLog('ab');
  const record = path.join(directory, 'segments');
  const before = await readFile(record);
  await opened(directory, (log) => log.append('t', [event('c')]));
  await writeFile(record, before);
  expect(await checked(directory)).toEqual([]);
  await opened(directory, async (log) => expect(log.allCuts).toEqual([]));
  await rm(fileOf(directory, 2));
  expect(await checked(directory)).toEqual([`tail topics/t/${positionOf(2)}.seg: ${MISSING}`]);
});

it('makes the record of a log of an earlier release, or that was lost, from what is there', async () => {
  const directory = await closedLog('ab');
  await rm(path.join(directory, 'segments'));
  expect(await checked(directory)).toEqual([]);
  await opened(directory, async (log) => expect(await lettersIn(log)).toEqual(['a', 'b']));
  await rm(fileOf(directory, 1));
  expect((await checked(directory)).length).toBe(1);
});

it('says that the record is damaged, keeps it aside and goes on', async () => {
  const directory = await closedLog('ab');
  const record = path.join(directory, 'segments');
  await writeFile(record, (await readFile(record)).subarray(0, 30));
  expect(await checked(directory)).toEqual([expect.stringMatching(/^tail segments: .* is cut short/)]);
  await opened(directory, async (log) => expect(await lettersIn(log)).toEqual(['a', 'b']));
  expect(await readdir(path.join(directory, 'set-aside'))).toEqual([expect.stringMatching(/^segments\./)]);
  expect(await checked(directory)).toEqual([]);
});

it('misses nothing that was erased, removed by retention, or repaired', async () => {
  const directory = await closedLog('abcd');
  await opened(directory, async (log) => {
    await log.eraseValues('t', () => true);
    await log.commit('g', 't', positionOf(3));
    expect(await log.applyRetention({ maxBytes: 1 })).toBeGreaterThan(0);
  });
  expect(await damagesOf(checkLogFiles({ directory }))).toEqual([]);
  const damaged = await closedLog('abcd');
  await writeFile(fileOf(damaged, 3), 'nonsense');
  await repairFileEventLog({ directory: damaged, mayBeTrimmed: false });
  await opened(damaged, async (log) => expect(await lettersIn(log)).toEqual(['a', 'b', 'c']));
  expect(await checked(damaged)).toEqual([]);
});

it('writes the record when a segment is begun, and never for an event', async () => {
  const directory = await temporaryDirectory();
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory, fileSystem });
  const writes = (): number =>
    fileSystem.journal.filter((step) => step === `rename ${path.join(directory, 'segments')}`).length;
  for (const letter of 'abcdefgh') await log.append('t', [event(letter)]);
  expect(writes()).toBe(1);
  await log.append('other', [event('a')]);
  expect(writes()).toBe(2);
  await log.close();
});

it('refuses an event whose segment cannot be recorded, and takes it when there is room again', async () => {
  const directory = await temporaryDirectory();
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory, fileSystem, ...SMALL });
  await log.append('t', [event('a')]);
  const end = fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'segments.' });
  await expect(log.append('t', [event('b')])).rejects.toMatchObject({ kind: 'unavailable' });
  end();
  expect(await log.append('t', [event('c')])).toEqual([positionOf(1)]);
  await log.close();
  expect(await checked(directory)).toEqual([]);
  await rm(fileOf(directory, 1));
  expect((await checked(directory)).length).toBe(1);
});
