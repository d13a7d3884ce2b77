import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvent, HEADER } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { type FileEventLog, openFileEventLog } from '../index.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

/** Twenty events of 200 bytes, two to a segment. */
async function fill(log: FileEventLog, topic = 't'): Promise<string[]> {
  const positions: string[] = [];
  for (let n = 0; n < 20; n++) {
    const event = createEvent({ id: `${n}`, type: 'test', key: 'k', value: `${n} `.padEnd(200, '.') });
    positions.push(...(await log.append(topic, [event])));
  }
  return positions;
}

describe('retention', () => {
  it('removes nothing unless asked to', async () => {
    const log = await openFileEventLog({ directory: await temporaryDirectory(), segmentBytes: 500 });
    await fill(log);
    expect(await log.applyRetention()).toBe(0);
    expect(await readAll(log, 't', { fromStart: true })).toHaveLength(20);
    await log.close();
  });

  it('removes old segments by size, never an event that a group has yet to read', async () => {
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory, segmentBytes: 500 });
    const positions = await fill(log);
    expect(await log.applyRetention({ maxBytes: 0 })).toBe(0);
    await log.commit('fast', 't', positions[18]);
    await log.commit('slow', 't', positions[6]);
    expect(await log.applyRetention({ maxBytes: 0 })).toBeGreaterThan(0);
    const left = await readAll(log, 't');
    expect(left[0].position <= positions[7]).toBe(true);
    expect(left[0].position > positions[4]).toBe(true);
    expect(await readAll(log, 't', { after: positions[6] })).toHaveLength(13);
    await log.commit('slow', 't', positions[19]);
    await log.applyRetention({ maxBytes: 1500 });
    expect(log.stats()[0].sizeBytes).toBeLessThanOrEqual(1500);
    await log.close();
    const again = await openFileEventLog({ directory, segmentBytes: 500 });
    expect((await readAll(again, 't')).at(-1)?.position).toBe(positions[19]);
    await again.close();
  });

  it('refuses to read what was removed, naming topic and position', async () => {
    const log = await openFileEventLog({ directory: await temporaryDirectory(), segmentBytes: 500 });
    const positions = await fill(log);
    await log.applyRetention({ maxBytes: 0, unread: 'remove' });
    const refused = { code: 'ERR_LOG_TRUNCATED', kind: 'not-found' };
    await expect(readAll(log, 't', { after: positions[3] })).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(new RegExp(`topic t .*${positions[4]}`)),
    });
    await expect(readAll(log, 't', { fromStart: true })).rejects.toMatchObject(refused);
    expect((await readAll(log, 't')).length).toBeGreaterThan(0);
    await log.close();
  });

  it('removes by age, and by itself whenever a segment is full', async () => {
    let now = 1000;
    const directory = await temporaryDirectory();
    const options = { directory, segmentBytes: 500, nowMs: () => now, retention: { maxAgeMs: 100 } };
    const log = await openFileEventLog(options);
    const positions = await fill(log);
    await log.commit('g', 't', positions[19]);
    expect(await log.applyRetention()).toBe(0);
    now = 2000;
    await fill(log);
    await log.close();
    const again = await openFileEventLog({ ...options, verifyBytes: 0 });
    const left = await readAll(again, 't');
    expect(left[0].timestampMs).toBe(2000);
    await again.close();
  });

  it('does not disturb who reads', async () => {
    const log = await openFileEventLog({ directory: await temporaryDirectory(), segmentBytes: 500 });
    await fill(log);
    const seen: string[] = [];
    for await (const batch of log.read('t', { maxBatchEvents: 1 })) {
      seen.push(...valuesOf(batch));
      if (seen.length === 19) await log.applyRetention({ maxBytes: 0, unread: 'remove' });
    }
    expect(seen).toHaveLength(20);
    await log.close();
  });
});

describe('erasing values', () => {
  it('empties the values picked and leaves all else as it was', async () => {
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory, segmentBytes: 500 });
    await fill(log);
    const secret = createEvent({
      id: 'secret',
      type: 'test',
      headers: { [HEADER.valueBlob]: 'values/x 5', Owner: 'me' },
      value: 'TOP-SECRET',
    });
    const [position] = await log.append(
      't',
      [...[1, 2].map((n) => createEvent({ id: `n${n}`, type: 'test', value: 'n' })), secret].reverse(),
    );
    const before = await readAll(log, 't');
    const picks = new Map<string, true | string[]>([
      ['secret', true],
      ['4', ['event-type']],
    ]);
    const erased = await log.eraseValues('t', ({ headers }) => picks.get(headers.get('event-id') ?? '') ?? false);
    expect(erased).toEqual([
      { position: before[4].position, blob: undefined },
      { position, blob: { name: 'values/x', sizeBytes: 5 } },
    ]);
    const check = async (current: FileEventLog): Promise<void> => {
      const after = await readAll(current, 't');
      expect(after.map(({ position: one }) => one)).toEqual(before.map(({ position: one }) => one));
      expect(after.map(({ timestampMs }) => timestampMs)).toEqual(before.map(({ timestampMs }) => timestampMs));
      const gone = after.filter(({ headers }) => headers.get(HEADER.erased) === 'true');
      expect(gone.map(({ headers }) => headers.get('event-id'))).toEqual(['4', 'secret']);
      expect(gone.every(({ value, headers }) => value.length === 0 && !headers.has(HEADER.valueBlob))).toBe(true);
      expect(gone.map(({ headers }) => [headers.get('Event-Type'), headers.get('Owner')])).toEqual([
        [undefined, undefined],
        ['test', 'me'],
      ]);
      expect(valuesOf(after).filter((value) => value !== '')).toHaveLength(before.length - 2);
    };
    await check(log);
    expect(await log.eraseValues('t', ({ headers }) => headers.get('event-id') === '4')).toEqual([]);
    await log.append('t', [createEvent({ id: 'later', type: 'test', value: 'later' })]);
    await log.close();
    for (const name of await readdir(path.join(directory, 'topics', 't'))) {
      expect((await readFile(path.join(directory, 'topics', 't', name))).includes('TOP-SECRET')).toBe(false);
    }
    const again = await openFileEventLog({ directory });
    expect(valuesOf((await readAll(again, 't')).slice(-1))).toEqual(['later']);
    await again.close();
  });

  it('keeps the old file when it cannot write the new one', async () => {
    const fileSystem = new FaultyFileSystem();
    const log = await openFileEventLog({ directory: await temporaryDirectory(), fileSystem, segmentBytes: 500 });
    await fill(log);
    const end = fileSystem.inject({ step: 'rename', code: 'EIO', file: '0000000000000000.seg' });
    await expect(log.eraseValues('t', () => true)).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
    expect(valuesOf(await readAll(log, 't')).every((value) => value.length === 200)).toBe(true);
    end();
    expect(await log.eraseValues('t', () => true)).toHaveLength(20);
    await log.close();
    expect(fileSystem.openFiles).toBe(0);
  });

  it('goes on while others read and append', async () => {
    const log = await openFileEventLog({ directory: await temporaryDirectory(), segmentBytes: 500, fsync: false });
    await fill(log);
    const reads = Array.from({ length: 20 }, async () => {
      const positions = (await readAll(log, 't', { maxBatchEvents: 1 })).map(({ position }) => Number(position));
      expect(positions).toEqual(positions.map((_, index) => index));
    });
    const appends = fill(log);
    const erasures = [3, 7, 7, 11].map((n) => log.eraseValues('t', ({ position }) => Number(position) === n));
    expect((await Promise.all(erasures)).flat()).toHaveLength(3);
    await Promise.all([...reads, appends]);
    expect(await readAll(log, 't')).toHaveLength(40);
    await log.close();
  });
});
