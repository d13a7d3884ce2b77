import { cp, mkdir, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { createEvent } from '@cairn/events';
import { cutAround } from '@cairn/events/experimental';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLogFiles, type LogDamage, openFileEventLog, repairFileEventLog } from '../index.ts';
import { readAll } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { crcStart } from './salvage.ts';

const LONG = process.env['CAIRN_LONG'] === '1';
const BATCHES = 24;

interface Damaged {
  readonly directory: string;
  readonly files: readonly string[];
}

/** Writes a closed log of two topics in small segments, with the position of a group; every value is unique. */
async function writeLog(directory: string): Promise<void> {
  const log = await openFileEventLog({ directory, segmentBytes: 1200, fsync: false });
  for (let n = 0; n < BATCHES; n++) {
    const batch = Array.from({ length: 1 + (n % 3) }, (_, part) =>
      createEvent({ id: `${n}/${part}`, type: 't', value: `${n}/${part} `.padEnd(40 + ((n * 37) % 200), '.') }),
    );
    await log.append(n % 2 === 0 ? 'even' : 'odd', batch);
  }
  await log.commit('g', 'even', (await log.end('even'))!);
  await log.close();
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

async function damagesOf(directory: string): Promise<LogDamage[]> {
  const found: LogDamage[] = [];
  for await (const damage of checkLogFiles({ directory, mayBeTrimmed: false })) found.push(damage);
  return found;
}

async function idsOf(directory: string, topic: string): Promise<string[]> {
  const log = await openFileEventLog({ directory });
  try {
    return (await readAll(log, topic)).map(({ headers }) => headers.get('Event-Id') ?? '');
  } finally {
    await log.close();
  }
}

async function flip(file: string, offset: number): Promise<void> {
  const handle = await open(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, offset);
  byte[0] ^= 8;
  await handle.write(byte, 0, 1, offset);
  await handle.close();
}

type Harm = 'flip' | 'cut' | 'remove' | 'swap';

const HARMS: Record<Harm, (files: readonly string[], file: string, at: number) => Promise<unknown>> = {
  flip: async (_, file, at) => flip(file, Math.floor(at * (await stat(file)).size)),
  cut: async (_, file, at) => truncate(file, Math.floor(at * (await stat(file)).size)),
  remove: (_, file) => rm(file),
  async swap(files, file, at) {
    const segments = files.filter((one) => one.endsWith('.seg'));
    const other = segments[Math.floor(at * segments.length)];
    if (other === file || !segments.includes(file)) return;
    await rename(other, `${other}.swap`);
    await rename(file, other);
    await rename(`${other}.swap`, file);
  },
};

async function harmed(source: Damaged, harm: Harm, which: number, at: number): Promise<Damaged> {
  const directory = await temporaryDirectory();
  await cp(source.directory, directory, { recursive: true });
  const files = await filesOf(directory);
  await HARMS[harm](files, files[Math.floor(which * files.length)], at);
  return { directory, files };
}

it('keeps every whole batch of a log with any one file damaged, and opens it', { timeout: 600_000 }, async () => {
  const source = { directory: await temporaryDirectory(), files: [] };
  await writeLog(source.directory);
  const whole = new Map<string, string[]>();
  for (const topic of ['even', 'odd']) whole.set(topic, await idsOf(source.directory, topic));
  const unit = fc.double({ min: 0, max: 0.999, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Harm>('flip', 'cut', 'remove', 'swap'), unit, unit, async (harm, which, at) => {
      const { directory } = await harmed(source, harm, which, at);
      const damages = await damagesOf(directory);
      const repair = await repairFileEventLog({ directory, mayBeTrimmed: false });
      const lost = new Map<string, string[]>();
      for (const [topic, ids] of whole) {
        const left = await idsOf(directory, topic);
        expect(left, `${topic} in order, each once`).toEqual(ids.filter((id) => left.includes(id)));
        lost.set(
          topic,
          ids.filter((id) => !left.includes(id)),
        );
      }
      const isLost = [...lost.values()].some((ids) => ids.length > 0);
      // One batch, or the contents of a missing segment.
      if (harm === 'flip')
        expect(new Set([...lost.values()].flat().map((id) => id.split('/')[0])).size).toBeLessThan(2);
      if (harm === 'swap') expect(isLost).toBe(false);
      // The last batch of a topic whose group had not read so far leaves no trace when its whole file is gone.
      if (isLost && harm !== 'remove' && harm !== 'cut') expect(damages).not.toEqual([]);
      if (repair.setAside.length > 0) expect(damages).not.toEqual([]);
      const again = await repairFileEventLog({ directory, mayBeTrimmed: false });
      expect(again).toEqual({ cuts: [], setAside: [] });
      const log = await openFileEventLog({ directory });
      await log.acceptCuts();
      for (const topic of ['even', 'odd']) {
        const [position] = await log.append(topic, [createEvent({ id: `new ${topic}`, type: 't', value: 'n' })]);
        expect(await cutAround(log, topic, position)).toBeUndefined();
        expect((await readAll(log, topic)).at(-1)?.position).toBe(position);
      }
      await log.close();
      expect(await damagesOf(directory)).toEqual([]);
    }),
    { numRuns: LONG ? 500 : 60 },
  );
});

describe('a damaged segment', () => {
  it('loses the one batch that is damaged, and nothing when only its header is', async () => {
    const directory = await temporaryDirectory();
    await writeLog(directory);
    const before = await idsOf(directory, 'even');
    const [file] = (await filesOf(path.join(directory, 'topics', 'even'))) as [string];
    await flip(file, 13);
    await expect(openFileEventLog({ directory })).rejects.toMatchObject({ code: 'ERR_LOG_CORRUPT' });
    const { cuts, setAside } = await repairFileEventLog({ directory });
    expect(cuts).toEqual([]);
    expect(setAside).toMatchObject([{ file: path.relative(directory, file) }]);
    expect(await idsOf(directory, 'even')).toEqual(before);
    await flip(file, 40 + 60);
    const second = await repairFileEventLog({ directory });
    expect(second.cuts).toMatchObject([{ topic: 'even', after: undefined, accepted: true }]);
    expect(await idsOf(directory, 'even')).toEqual(before.slice(1));
    const kept = await readFile(path.join(directory, second.setAside[0].keptIn));
    expect(kept.length).toBeGreaterThan(0);
  });

  it('of which only the version is wrong is no segment of a later release', async () => {
    const directory = await temporaryDirectory();
    await writeLog(directory);
    const before = await idsOf(directory, 'odd');
    const file = (await filesOf(path.join(directory, 'topics', 'odd'))).slice(-1)[0];
    await flip(file, 8);
    await expect(openFileEventLog({ directory })).rejects.toMatchObject({ code: 'ERR_LOG_VERSION' });
    await repairFileEventLog({ directory });
    expect(await idsOf(directory, 'odd')).toEqual(before);
  });
});

it('is checked while it is open, too', async () => {
  const directory = await temporaryDirectory();
  await writeLog(directory);
  const log = await openFileEventLog({ directory });
  const found: LogDamage[] = [];
  for await (const damage of log.check({ mayBeTrimmed: false })) found.push(damage);
  expect(found).toEqual([]);
  const files = await filesOf(path.join(directory, 'topics', 'even'));
  await flip(files[0], 120);
  await rm(files[1]);
  for await (const damage of log.check({ mayBeTrimmed: false })) found.push(damage);
  expect(found).toMatchObject([
    { topic: 'even', kind: 'damage', file: path.relative(directory, files[0]) },
    { topic: 'even', kind: 'damage', file: path.relative(directory, files[1]), reason: 'the file is missing' },
  ]);
  await log.close();
});

it('changes nothing by checking', async () => {
  const directory = await temporaryDirectory();
  await writeLog(directory);
  const file = (await filesOf(path.join(directory, 'topics', 'even'))).slice(-1)[0];
  await truncate(file, (await stat(file)).size - 5);
  await mkdir(path.join(directory, 'topics', 'even', 'x'));
  await writeFile(`${file}.123.tmp`, 'half');
  const before = await filesOf(directory);
  expect(await damagesOf(directory)).toMatchObject([{ topic: 'even', kind: 'tail' }]);
  expect(await filesOf(directory)).toEqual(before);
});

it('knows what a checksum was begun with', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(0xffffffff), (bytes, start) => {
      expect(crcStart(bytes, crc32(bytes, start))).toBe(start);
    }),
  );
});
