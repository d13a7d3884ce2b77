import { appendFile, copyFile, cp, mkdir, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvent, type Event, type EventLog } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFileEventLog } from '../index.ts';
import { readAll, valuesOf } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const LONG = process.env['CAIRN_LONG'] === '1';

function batchOf(prefix: string, count: number, bytes = 10): Event[] {
  return Array.from({ length: count }, (_, n) =>
    createEvent({ id: `${prefix}${n}`, type: 'test', value: `${prefix}${n} `.padEnd(bytes, '.') }),
  );
}

async function segmentsOf(directory: string, topic: string): Promise<string[]> {
  const folder = path.join(directory, 'topics', topic);
  return (await readdir(folder)).sort().map((name) => path.join(folder, name));
}

/** Returns a closed log of three batches in one segment, and the end of each batch. */
async function threeBatches(): Promise<{ directory: string; file: string; ends: number[]; expected: string[][] }> {
  const directory = await temporaryDirectory();
  const log = await openFileEventLog({ directory });
  const ends: number[] = [];
  const expected: string[][] = [];
  for (const prefix of ['a', 'b', 'c']) {
    await log.append('t', batchOf(prefix, 3));
    ends.push(log.stats()[0].sizeBytes);
    expected.push(valuesOf(await readAll(log, 't')));
  }
  await log.close();
  return { directory, file: (await segmentsOf(directory, 't'))[0], ends, expected };
}

describe('a torn tail', () => {
  it('is cut back to the batch before, wherever the last batch was cut', async () => {
    const { directory, file, ends, expected } = await threeBatches();
    const whole = await readFile(file);
    const step = LONG ? 1 : 3;
    for (let size = ends[1]; size < ends[2]; size += step) {
      await writeOnly(file, whole.subarray(0, size), directory);
      const log = await openFileEventLog({ directory });
      expect(valuesOf(await readAll(log, 't')), `cut at ${size}`).toEqual(expected[1]);
      const torn = { topic: 't', file, offset: ends[1], bytesCut: size - ends[1] };
      expect(log.tornTails).toEqual(size === ends[1] ? [] : [torn]);
      await log.append('t', batchOf('d', 1));
      await log.close();
      const again = await openFileEventLog({ directory });
      expect((await readAll(again, 't')).length).toBe(expected[1].length + 1);
      expect(again.tornTails).toEqual([]);
      await again.close();
    }
  });

  it('is cut off whichever byte of the last batch is wrong', async () => {
    const { directory, file, ends, expected } = await threeBatches();
    const whole = await readFile(file);
    for (let offset = ends[1]; offset < ends[2]; offset += LONG ? 1 : 3) {
      const damaged = Buffer.from(whole);
      damaged[offset] ^= 1 << (offset % 8);
      await writeOnly(file, damaged, directory);
      const log = await openFileEventLog({ directory });
      expect(valuesOf(await readAll(log, 't')), `bit flipped at ${offset}`).toEqual(expected[1]);
      await log.close();
    }
  });

  it('may be zeros or anything else', async () => {
    const { directory, file, ends, expected } = await threeBatches();
    const whole = await readFile(file);
    const tails = [Buffer.alloc(10_000), Buffer.from('CBAT'.repeat(50)), whole.subarray(0, 200), Buffer.alloc(1, 255)];
    for (const tail of tails) {
      await writeOnly(file, Buffer.concat([whole, tail]), directory);
      const log = await openFileEventLog({ directory });
      expect(valuesOf(await readAll(log, 't'))).toEqual(expected[2]);
      expect(log.tornTails).toMatchObject([{ offset: ends[2], bytesCut: tail.length }]);
      await log.close();
    }
  });

  it('may hold sound batches of the same write behind a bad one', async () => {
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory });
    await log.append('t', batchOf('a', 2));
    const before = log.stats()[0].sizeBytes;
    await Promise.all(['b', 'c', 'd'].map((prefix) => log.append('t', batchOf(prefix, 2))));
    await log.close();
    const [file] = await segmentsOf(directory, 't');
    await flipBit(file, before + 60);
    const again = await openFileEventLog({ directory });
    expect(await readAll(again, 't')).toHaveLength(2);
    expect(again.tornTails).toHaveLength(1);
    await again.close();
  });

  it('is told from damage also when the torn value holds a log segment', async () => {
    const other = await threeBatches();
    const value = await readFile(other.file);
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory });
    await log.append('t', batchOf('a', 1));
    await log.append('t', [createEvent({ id: 'copy', type: 'test', value: Buffer.concat([value, value]) })]);
    const { sizeBytes } = log.stats()[0];
    await log.close();
    const [file] = await segmentsOf(directory, 't');
    await truncate(file, sizeBytes - 5);
    const again = await openFileEventLog({ directory });
    expect(await readAll(again, 't')).toHaveLength(1);
    await again.close();
  });
});

/** Restores the log to this one segment. */
async function writeOnly(file: string, bytes: Uint8Array, directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
}

async function flipBit(file: string, offset: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, offset);
  byte[0] ^= 4;
  await handle.write(byte, 0, 1, offset);
  await handle.close();
}

describe('damage in the middle', () => {
  it('is refused, naming the file and the offset, wherever it is', async () => {
    const { directory, file, ends } = await threeBatches();
    for (let offset = ends[0]; offset < ends[1]; offset += LONG ? 1 : 7) {
      await flipBit(file, offset);
      const refused = { code: 'ERR_LOG_CORRUPT', kind: 'corrupt' };
      await expect(openFileEventLog({ directory }), `bit flipped at ${offset}`).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining(`${file} is damaged at offset ${ends[0]}`),
      });
      await flipBit(file, offset);
    }
    const log = await openFileEventLog({ directory });
    await log.close();
  });

  it('is found in older segments at opening, and when read beyond what opening checks', async () => {
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory, segmentBytes: 500 });
    for (let n = 0; n < 20; n++) await log.append('t', batchOf(`${n}-`, 1, 200));
    await log.close();
    const files = await segmentsOf(directory, 't');
    await flipBit(files[1], 150);
    const named = { code: 'ERR_LOG_CORRUPT', message: expect.stringContaining(files[1]) };
    await expect(openFileEventLog({ directory })).rejects.toMatchObject(named);
    const unchecked = await openFileEventLog({ directory, verifyBytes: 0 });
    await expect(readAll(unchecked, 't')).rejects.toMatchObject(named);
    expect(await readAll(unchecked, 't', { after: '0000000000000010' })).toHaveLength(9);
    await unchecked.close();
  });

  it('is found when a segment is missing or cut', async () => {
    const directory = await temporaryDirectory();
    const log = await openFileEventLog({ directory, segmentBytes: 500 });
    for (let n = 0; n < 20; n++) await log.append('t', batchOf(`${n}-`, 1, 200));
    await log.close();
    const refused = { code: 'ERR_LOG_CORRUPT', kind: 'corrupt' };
    const copy = await temporaryDirectory();
    const damages: ((files: string[]) => Promise<void>)[] = [
      async (files) => void (await (await import('node:fs/promises')).unlink(files[1])),
      (files) => truncate(files[1], 300),
      (files) => truncate(files[1], 10),
      (files) => copyFile(files[2], files[1]),
      (files) => flipBit(files[1], 3),
      (files) => appendFile(files[1], 'x'),
    ];
    for (const [index, damage] of damages.entries()) {
      const target = path.join(copy, String(index));
      await cp(directory, target, { recursive: true });
      await damage(await segmentsOf(target, 't'));
      await expect(openFileEventLog({ directory: target }), `damage ${index}`).rejects.toMatchObject(refused);
      const unchecked = await openFileEventLog({ directory: target, verifyBytes: 0 });
      await expect(readAll(unchecked, 't'), `damage ${index}, read`).rejects.toMatchObject(refused);
      await unchecked.close();
    }
  });

  it('is refused in the offsets', async () => {
    const { directory } = await threeBatches();
    const log = await openFileEventLog({ directory });
    await log.commit('g', 't', (await log.end('t'))!);
    await log.close();
    await flipBit(path.join(directory, 'offsets'), 30);
    const refused = { code: 'ERR_LOG_CORRUPT', message: expect.stringContaining('offsets') };
    await expect(openFileEventLog({ directory })).rejects.toMatchObject(refused);
  });
});

it('refuses files of a later format version by name', async () => {
  const { directory, file } = await threeBatches();
  const handle = await open(file, 'r+');
  await handle.write(Buffer.from([2]), 0, 1, 8);
  await handle.close();
  await expect(openFileEventLog({ directory })).rejects.toMatchObject({
    code: 'ERR_LOG_VERSION',
    kind: 'unsupported',
    message: expect.stringContaining(`${file} has format version 2`),
  });
});

it('removes what unfinished replacements left', async () => {
  const { directory, file } = await threeBatches();
  await writeFile(`${file}.1234.tmp`, 'half');
  await writeFile(path.join(directory, 'offsets.1234.tmp'), 'half');
  await writeFile(path.join(directory, 'segments.1234.tmp'), 'half');
  const log = await openFileEventLog({ directory });
  expect(await segmentsOf(directory, 't')).toEqual([file]);
  expect((await readdir(directory)).sort()).toEqual(['lock', 'segments', 'topics']);
  await log.close();
  expect((await readdir(directory)).sort()).toEqual(['segments', 'topics']);
});

type Step = { readonly batch: readonly number[] } | { readonly reopen: true } | { readonly cut: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ batch: fc.array(fc.nat(400), { minLength: 1, maxLength: 8 }) }) },
    { weight: 1, arbitrary: fc.constant({ reopen: true as const }) },
    { weight: 1, arbitrary: fc.record({ cut: fc.integer({ min: 1, max: 60 }) }) },
  ),
  { maxLength: 30 },
);

it('equals a list of values over random batches, reopening, rolling and cut tails', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 192, max: 3000 }), async (script, segmentBytes) => {
      const directory = await temporaryDirectory();
      const open = (): Promise<EventLog> => openFileEventLog({ directory, segmentBytes, fsync: false });
      let log = await open();
      let model: string[][] = [];
      for (const step of script) {
        if ('batch' in step) {
          const batch = step.batch.map((bytes, n) => createEvent({ id: `${n}`, type: 't', value: 'x'.repeat(bytes) }));
          await log.append('t', batch);
          model.push(batch.map(({ value }) => Buffer.from(value).toString()));
          continue;
        }
        await log.close();
        if ('cut' in step && model.length > 0) model = await cutTail(directory, step.cut, model);
        log = await open();
      }
      expect(valuesOf(await readAll(log, 't'))).toEqual(model.flat());
      const half = Math.floor(model.flat().length / 2);
      const after = (await readAll(log, 't'))[half - 1]?.position;
      expect(valuesOf(await readAll(log, 't', { after, maxBatchEvents: 3 }))).toEqual(model.flat().slice(half));
      await log.close();
    }),
    { numRuns: LONG ? 500 : 40 },
  );
}, 600_000);

/** Cuts some bytes off the last segment, unless it has no batch: that can only be damage. */
async function cutTail(directory: string, bytes: number, model: string[][]): Promise<string[][]> {
  const last = (await segmentsOf(directory, 't')).slice(-1)[0];
  const { length } = await readFile(last);
  if (length <= 40 + bytes) return model;
  await truncate(last, length - bytes);
  return model.slice(0, -1);
}
