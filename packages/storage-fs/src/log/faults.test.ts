import { createEvent, type Event } from '@cairn/events';
import { expect, it } from 'vitest';
import { openFileEventLog } from '../index.ts';
import { type Fault, FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

function event(value: string): Event {
  return createEvent({ id: value, type: 'test', value });
}

const PASSING: readonly Fault[] = [
  { step: 'write', code: 'ENOSPC', file: '.seg' },
  { step: 'write', code: 'ENOSPC', file: '.seg', writesBytes: 30 },
  { step: 'write', code: 'EIO', file: '.seg', writesBytes: 60 },
];

for (const fault of PASSING) {
  it(`recovers from ${fault.code} after ${fault.writesBytes ?? 0} bytes once the medium takes writes again`, async () => {
    const directory = await temporaryDirectory();
    const fileSystem = new FaultyFileSystem();
    const log = await openFileEventLog({ directory, fileSystem });
    await log.append('t', [event('before')]);
    const end = fileSystem.inject(fault);
    const refused = { code: 'ERR_LOG_WRITE', kind: 'unavailable', retryable: true };
    for (let n = 0; n < 3; n++) await expect(log.append('t', [event('lost')])).rejects.toMatchObject(refused);
    expect(log.writeError).toMatchObject({ message: expect.stringContaining(fault.code) });
    expect(valuesOf(await readAll(log, 't'))).toEqual(['before']);
    end();
    await log.append('t', [event('after')]);
    expect(log.writeError).toBeUndefined();
    expect(valuesOf(await readAll(log, 't'))).toEqual(['before', 'after']);
    await log.close();
    const again = await openFileEventLog({ directory });
    expect(valuesOf(await readAll(again, 't'))).toEqual(['before', 'after']);
    expect(again.tornTails).toEqual([]);
    await again.close();
  });
}

it('cuts off what a failed write left before it writes again, also when cutting failed at first', async () => {
  const directory = await temporaryDirectory();
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory, fileSystem });
  await log.append('t', [event('before')]);
  const ends = [
    fileSystem.inject({ step: 'write', code: 'ENOSPC', file: '.seg', writesBytes: 1000 }),
    fileSystem.inject({ step: 'truncate', code: 'EIO' }),
  ];
  await expect(log.append('t', [event('x'.repeat(5000))])).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
  ends[0]();
  await expect(log.append('t', [event('y')])).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
  ends[1]();
  await log.append('t', [event('after')]);
  await log.close();
  const again = await openFileEventLog({ directory });
  expect(again.tornTails).toEqual([]);
  expect(valuesOf(await readAll(again, 't'))).toEqual(['before', 'after']);
  await again.close();
});

it('ends writing for good when an fsync fails, while reads go on', async () => {
  const directory = await temporaryDirectory();
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory, fileSystem });
  await log.append('t', [event('before')]);
  const end = fileSystem.inject({ step: 'sync', code: 'EIO', file: '.seg' });
  const fatal = { code: 'ERR_LOG_WRITE', retryable: false, message: expect.stringContaining('fsync') };
  await expect(log.append('t', [event('lost')])).rejects.toMatchObject(fatal);
  end();
  const { syncs } = fileSystem;
  await expect(log.append('t', [event('later')])).rejects.toMatchObject(fatal);
  await expect(log.append('u', [event('elsewhere')])).rejects.toMatchObject(fatal);
  expect(await log.checkWritable()).toMatchObject(fatal);
  await expect(log.eraseValues('t', () => true)).rejects.toMatchObject(fatal);
  expect(fileSystem.syncs, 'fsyncs after the failed one').toBe(syncs);
  expect(valuesOf(await readAll(log, 't'))).toEqual(['before']);
  await log.close();
});

it('says whether it can be written without an append', async () => {
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem });
  expect(await log.checkWritable()).toBeUndefined();
  const end = fileSystem.inject({ step: 'write', code: 'ENOSPC' });
  expect(await log.checkWritable()).toMatchObject({ message: expect.stringContaining('ENOSPC') });
  expect(log.writeError).toBeDefined();
  end();
  expect(await log.checkWritable()).toBeUndefined();
  expect(log.writeError).toBeUndefined();
  await log.close();
});

for (const step of ['open', 'write', 'rename', 'syncDirectory'] as const) {
  it(`refuses an append when ${step} of a new segment fails, and goes on afterwards`, async () => {
    const directory = await temporaryDirectory();
    const fileSystem = new FaultyFileSystem();
    const log = await openFileEventLog({ directory, fileSystem, segmentBytes: 200 });
    await log.append('t', [event('a'.repeat(300))]);
    const end = fileSystem.inject({ step, code: 'EMFILE', file: 'topics' });
    await expect(log.append('t', [event('lost')])).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
    expect((await log.end('t'))?.endsWith('0')).toBe(true);
    end();
    await log.append('t', [event('b')]);
    await log.close();
    const again = await openFileEventLog({ directory });
    expect(valuesOf(await readAll(again, 't')).map((value) => value[0])).toEqual(['a', 'b']);
    await again.close();
  });
}

it('keeps the old position of a group when a commit cannot be written', async () => {
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem });
  const [first, second] = await log.append('t', [event('a'), event('b')]);
  await log.commit('g', 't', first);
  const end = fileSystem.inject({ step: 'write', code: 'ENOSPC', file: 'offsets' });
  await expect(log.commit('g', 't', second)).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
  expect(await log.committed('g', 't')).toBe(first);
  end();
  await log.commit('g', 't', second);
  expect(await log.committed('g', 't')).toBe(second);
  await log.close();
});

it('says which file could not be read', async () => {
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem });
  await log.append('t', [event('a')]);
  for (const step of ['open', 'read'] as const) {
    const end = fileSystem.inject({ step, code: 'EMFILE' });
    await expect(readAll(log, 't')).rejects.toMatchObject({ code: 'ERR_LOG_READ', kind: 'unavailable' });
    end();
  }
  expect(valuesOf(await readAll(log, 't'))).toEqual(['a']);
  await log.close();
});

it('shares one fsync among appends that come at once', async () => {
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem });
  await log.append('t', [event('first')]);
  const { syncs } = fileSystem;
  await Promise.all(Array.from({ length: 100 }, (_, n) => log.append('t', [event(`${n}`)])));
  expect(fileSystem.syncs - syncs).toBeLessThanOrEqual(2);
  await log.close();
});

it('leaves no file open: after reading, stopping early, waiting, closing', async () => {
  const fileSystem = new FaultyFileSystem();
  const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem, segmentBytes: 300 });
  for (let n = 0; n < 20; n++) await log.append('t', [event(`${n}`)]);
  const writing = fileSystem.openFiles;
  await readAll(log, 't');
  for await (const _ of log.read('t', { maxBatchEvents: 1 })) break;
  const controller = new AbortController();
  const reader = log.read('t', { wait: true, signal: controller.signal })[Symbol.asyncIterator]();
  for (let events = 0; events < 20; ) events += (await reader.next()).value.length;
  const waiting = reader.next();
  await expect.poll(() => fileSystem.openFiles, { timeout: 20_000 }).toBe(writing);
  controller.abort();
  expect((await waiting).done).toBe(true);
  await log.close();
  expect(fileSystem.openFiles).toBe(0);
});
