import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvent, type Event, type StoredEvent } from '@cairn/events';
import { cutAround } from '@cairn/events/experimental';
import { expect, it } from 'vitest';
import { type FileEventLog, type FileEventLogOptions, openFileEventLog } from '../index.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const EPOCH = 2 ** 36;

function event(value: string): Event {
  return createEvent({ id: value, type: 'test', value });
}

/** Values that fill a small segment each. */
const LARGE = ['a', 'b', 'c'].map((letter) => letter.repeat(300));

function lettersOf(events: readonly StoredEvent[]): (string | undefined)[] {
  return valuesOf(events).map(([letter]) => letter);
}

function positionOf(sequence: number): string {
  return String(sequence).padStart(16, '0');
}

async function lastSegment(directory: string, topic = 't'): Promise<string> {
  const folder = path.join(directory, 'topics', topic);
  return path.join(folder, (await readdir(folder)).sort().slice(-1)[0]);
}

async function cutOff(directory: string, bytes: number, topic = 't'): Promise<Buffer> {
  const file = await lastSegment(directory, topic);
  const whole = await readFile(file);
  await truncate(file, whole.length - bytes);
  return whole;
}

/** A closed log of some events, each in a batch of its own. */
async function closedLog(values: readonly string[], options: Partial<FileEventLogOptions> = {}): Promise<string> {
  const directory = await temporaryDirectory();
  const log = await openFileEventLog({ directory, ...options });
  for (const value of values) await log.append('t', [event(value)]);
  await log.close();
  return directory;
}

async function reopened<T>(directory: string, use: (log: FileEventLog) => Promise<T>): Promise<T> {
  const log = await openFileEventLog({ directory, nowMs: () => 77 });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

it('names what was cut, keeps its bytes aside, and says so until it is accepted', async () => {
  const directory = await closedLog(['a', 'b', 'c']);
  const segment = await lastSegment(directory);
  const whole = await cutOff(directory, 5);
  const cut = await reopened(directory, async (log) => {
    const [only, ...others] = log.allCuts;
    expect(others).toEqual([]);
    return only;
  });
  expect(cut).toMatchObject({
    topic: 't',
    after: positionOf(1),
    resumesAt: positionOf(EPOCH),
    atMs: 77,
    accepted: false,
  });
  const kept = await readFile(path.join(directory, cut.keptIn!));
  expect(kept.length).toBe(cut.bytes);
  expect(Buffer.concat([await readFile(segment), kept])).toEqual(whole.subarray(0, whole.length - 5));
  await reopened(directory, async (log) => {
    expect(log.allCuts).toEqual([cut]);
    expect(await log.acceptCuts()).toEqual([cut]);
    expect(await log.acceptCuts()).toEqual([]);
  });
  await reopened(directory, async (log) => expect(log.allCuts).toEqual([{ ...cut, accepted: true }]));
});

it('goes on in a further epoch each time, also when nothing was written in between', async () => {
  const directory = await closedLog(['a', 'b']);
  for (let time = 1; time <= 5; time++) {
    await cutOff(directory, 5);
    await reopened(directory, async (log) => {
      expect((await log.cuts('t')).map(({ resumesAt }) => resumesAt)).toEqual(
        Array.from({ length: time }, (_, n) => positionOf(EPOCH * (n + 1))),
      );
      expect(valuesOf(await readAll(log, 't', { fromStart: true }))).toEqual(['a']);
      expect(await log.end('t')).toBe(positionOf(0));
    });
  }
  await reopened(directory, async (log) => {
    expect(await log.append('t', [event('z')])).toEqual([positionOf(EPOCH * 5)]);
    expect(await log.lag('t', positionOf(EPOCH * 2 + 5))).toBe(1);
    expect(log.stats()).toMatchObject([{ topic: 't', events: 2 }]);
  });
});

it('may lose every event of a topic', async () => {
  const directory = await closedLog(['a']);
  await cutOff(directory, 5);
  await reopened(directory, async (log) => {
    expect(await log.topics()).toEqual([]);
    expect(await log.end('t')).toBeUndefined();
    expect(await log.lag('t', undefined)).toBe(0);
    expect(await cutAround(log, 't', positionOf(0))).toMatchObject({ after: undefined });
    await log.append('t', [event('b')]);
    expect(valuesOf(await readAll(log, 't', { fromStart: true }))).toEqual(['b']);
  });
});

it('gives no position out that a consumer holds when the last segment or all of them are gone', async () => {
  for (const whatIsLost of ['last', 'all'] as const) {
    const directory = await closedLog(LARGE, { segmentBytes: 192 });
    await reopened(directory, (log) => log.commit('g', 't', positionOf(2)));
    if (whatIsLost === 'last') await rm(await lastSegment(directory));
    else await rm(path.join(directory, 'topics', 't'), { recursive: true });
    await reopened(directory, async (log) => {
      expect(await cutAround(log, 't', positionOf(2))).toMatchObject({ bytes: 0, keptIn: undefined });
      expect(await log.append('t', [event('d')])).toEqual([positionOf(EPOCH)]);
      expect(valuesOf(await readAll(log, 't', { after: positionOf(2) }))).toEqual(['d']);
    });
    await reopened(directory, async (log) => {
      expect(log.allCuts.length).toBe(1);
      expect(lettersOf(await readAll(log, 't'))).toEqual(whatIsLost === 'last' ? ['a', 'b', 'd'] : ['d']);
    });
  }
});

it('takes a last segment without a sound header or a batch for a torn tail', async () => {
  for (const left of [0, 7, 39]) {
    const directory = await closedLog(LARGE.slice(0, 2), { segmentBytes: 192 });
    const file = await lastSegment(directory);
    await truncate(file, left);
    await reopened(directory, async (log) => {
      expect(log.allCuts).toMatchObject([{ after: positionOf(0), bytes: left }]);
      expect(await log.append('t', [event('c')])).toEqual([positionOf(EPOCH)]);
      expect(lettersOf(await readAll(log, 't'))).toEqual(['a', 'c']);
    });
    await reopened(directory, async (log) => expect(log.allCuts.length).toBe(1));
  }
});

it('knows a cut again when the record of it is gone or damaged', async () => {
  for (const harm of ['remove', 'damage'] as const) {
    const directory = await closedLog(['a', 'b']);
    await cutOff(directory, 5);
    await reopened(directory, async (log) => void (await log.append('t', [event('c')])));
    const record = path.join(directory, 'cuts');
    if (harm === 'remove') await rm(record);
    else await writeFile(record, (await readFile(record)).subarray(0, -3));
    await reopened(directory, async (log) => {
      expect(log.allCuts).toMatchObject([{ after: positionOf(0), resumesAt: positionOf(EPOCH), accepted: false }]);
      expect(valuesOf(await readAll(log, 't'))).toEqual(['a', 'c']);
      expect(valuesOf(await readAll(log, 't', { after: positionOf(1) }))).toEqual(['c']);
    });
  }
});

it('finds a segment damaged that ends before a recorded cut', async () => {
  const directory = await closedLog(['a', 'b', 'c']);
  const file = await lastSegment(directory);
  await cutOff(directory, 5);
  await reopened(directory, async (log) => void (await log.append('t', [event('d')])));
  await truncate(file, (await stat(file)).size - 1);
  await expect(openFileEventLog({ directory })).rejects.toMatchObject({ code: 'ERR_LOG_CORRUPT' });
});

it('erases and removes around a gap as ever', async () => {
  const directory = await closedLog(['a', 'b', 'c']);
  await cutOff(directory, 5);
  await reopened(directory, async (log) => {
    await log.append('t', [event('d'), event('e')]);
    const erased = await log.eraseValues('t', ({ headers }) => ['b', 'd'].includes(headers.get('Event-Id') ?? ''));
    expect(erased.map(({ position }) => position)).toEqual([positionOf(1), positionOf(EPOCH)]);
    expect(valuesOf(await readAll(log, 't'))).toEqual(['a', '', '', 'e']);
    await log.commit('g', 't', positionOf(EPOCH + 1));
    expect(await log.applyRetention({ maxBytes: 0 })).toBeGreaterThan(0);
    expect(await log.end('t')).toBe(positionOf(EPOCH + 1));
    expect(await log.lag('t', undefined)).toBe(0);
    await expect(readAll(log, 't', { fromStart: true })).rejects.toMatchObject({ code: 'ERR_LOG_TRUNCATED' });
  });
});

it('ends alike when recovery is interrupted at any step', async () => {
  const damaged = await closedLog(['a', 'b', 'c']);
  await cutOff(damaged, 5);
  const file = await lastSegment(damaged);
  const torn = await readFile(file);
  const steps = ['open', 'write', 'sync', 'truncate', 'rename', 'syncDirectory'] as const;
  for (const step of steps) {
    for (const where of ['set-aside', 'cuts', '.seg', 'topics']) {
      const directory = await temporaryDirectory();
      const segment = path.join(directory, path.relative(damaged, file));
      await openFileEventLog({ directory }).then((log) => log.append('t', [event('x')]).then(() => log.close()));
      await writeFile(segment, torn);
      const fileSystem = new FaultyFileSystem();
      fileSystem.inject({ step, code: 'EIO', file: where });
      const interrupted = await openFileEventLog({ directory, fileSystem }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ERR_LOG_OPEN', kind: 'unavailable' });
      });
      await interrupted?.close();
      expect(fileSystem.openFiles, `open files after ${step} of ${where} failed`).toBe(0);
      await reopened(directory, async (log) => {
        expect(log.allCuts, `${step} of ${where}`).toMatchObject([
          { after: positionOf(1), resumesAt: positionOf(EPOCH) },
        ]);
        await log.append('t', [event('d')]);
        expect(valuesOf(await readAll(log, 't'))).toEqual(['a', 'b', 'd']);
      });
    }
  }
});

/** Opens a log without room on the disk, and writes once there is some again. */
async function openedWithoutRoom(directory: string, check: (log: FileEventLog) => Promise<void>): Promise<void> {
  const fileSystem = new FaultyFileSystem();
  // The lock alone finds room: a later step may not.
  for (const file of ['set-aside', 'cuts', '.seg']) {
    const room = fileSystem.inject({ step: 'write', code: 'ENOSPC', file });
    const log = await openFileEventLog({ directory, fileSystem });
    try {
      expect(log.writeError).toMatchObject({ code: 'ERR_LOG_WRITE', message: expect.stringContaining('ENOSPC') });
      await check(log);
      await expect(log.append('t', [event('z')])).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
      expect(await log.checkWritable()).toMatchObject({ code: 'ERR_LOG_WRITE' });
      await check(log);
    } finally {
      await log.close();
      room();
    }
  }
  expect(fileSystem.openFiles).toBe(0);
}

it('can be read while there is no room to set a torn tail aside, and is mended by the next write with room', async () => {
  const directory = await closedLog(['a', 'b', 'c']);
  await reopened(directory, (log) => log.commit('g', 't', positionOf(2)));
  await cutOff(directory, 5);
  await openedWithoutRoom(directory, async (log) => {
    expect(valuesOf(await readAll(log, 't'))).toEqual(['a', 'b']);
    expect(valuesOf(await readAll(log, 't', { after: positionOf(2) }))).toEqual([]);
    expect(await cutAround(log, 't', positionOf(2))).toMatchObject({ after: positionOf(1) });
    expect(log.segmentFiles()).toHaveLength(1);
  });
  const fileSystem = new FaultyFileSystem();
  const room = fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'set-aside' });
  const log = await openFileEventLog({ directory, fileSystem });
  const reader = log.read('t', { after: positionOf(2), wait: true })[Symbol.asyncIterator]();
  const waiting = reader.next();
  room();
  expect(await log.append('t', [event('z')])).toEqual([positionOf(EPOCH)]);
  expect(valuesOf((await waiting).value)).toEqual(['z']);
  await reader.return?.();
  expect(log.writeError).toBeUndefined();
  expect(log.allCuts).toMatchObject([{ after: positionOf(1), keptIn: expect.stringContaining('set-aside/') }]);
  expect(await readdir(path.join(directory, 'set-aside'))).toHaveLength(1);
  await log.close();
  await reopened(directory, async (again) => expect(valuesOf(await readAll(again, 't'))).toEqual(['a', 'b', 'z']));
});

it('can be read without room to set a headless segment aside, and is mended when asked whether it can be written', async () => {
  const directory = await closedLog(LARGE.slice(0, 2), { segmentBytes: 192 });
  await truncate(await lastSegment(directory), 7);
  const fileSystem = new FaultyFileSystem();
  const room = fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'cuts' });
  const log = await openFileEventLog({ directory, fileSystem });
  expect(lettersOf(await readAll(log, 't'))).toEqual(['a']);
  expect(await log.checkWritable()).toMatchObject({ code: 'ERR_LOG_WRITE' });
  room();
  expect(await log.checkWritable()).toBeUndefined();
  expect(log.allCuts).toMatchObject([{ after: positionOf(0), bytes: 7 }]);
  await log.append('t', [event('z')]);
  expect(lettersOf(await readAll(log, 't'))).toEqual(['a', 'z']);
  await log.close();
});
