import { spawn } from 'node:child_process';
import { readdir, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogCut, StoredEvent } from '@cairn/events';
import { cutAround, fromSequencePosition } from '@cairn/events/experimental';
import { expect, it } from 'vitest';
import { openFileEventLog } from '../index.ts';
import { buildScript } from '../testing/build-script.ts';
import { readAll } from '../testing/read-all.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const KILLS = process.env['CAIRN_LONG'] === '1' ? 100 : 8;

it(`loses no acknowledged event and keeps no half batch when killed ${KILLS} times`, { timeout: 600_000 }, async () => {
  const directory = await temporaryDirectory();
  const script = await buildScript('crash-writer.ts', await temporaryDirectory());
  const acknowledged = new Map<string, string>();
  const commits = new Map<string, Set<string>>();
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = await runUntilKilled(script, directory, kill);
    const attempted = noteLines(lines, acknowledged, commits);
    expect(attempted, 'acknowledgements of a run').toBeGreaterThan(0);
    const log = await openFileEventLog({ directory, segmentBytes: 4000 });
    await checkEvents(log, acknowledged);
    await checkCommits(log, commits);
    await log.close();
  }
});

it(`gives no position out twice when its end is cut off after each of ${KILLS} kills`, {
  timeout: 600_000,
}, async () => {
  const directory = await temporaryDirectory();
  const script = await buildScript('crash-writer.ts', await temporaryDirectory());
  const acknowledged = new Map<string, string>();
  const places = new Map<string, string>();
  const commits = new Map<string, Set<string>>();
  for (let kill = 0; kill < KILLS; kill++) {
    const fresh = new Map<string, string>();
    noteLines(await runUntilKilled(script, directory, kill), fresh, commits);
    for (const [batch, place] of fresh) {
      const [topic, position] = place.split(' ');
      expect(places.get(`${topic} ${position}`), `the event at ${topic} ${position}`).toBeUndefined();
      places.set(`${topic} ${position}`, batch);
      acknowledged.set(batch, place);
    }
    const cutBytes = await cutLastSegment(directory, `t${kill % 2}`);
    const log = await openFileEventLog({ directory, segmentBytes: 4000 });
    const lost = await forgetLost(log, acknowledged);
    // No batch is smaller than 60 bytes.
    expect(lost, `batches lost with ${cutBytes} bytes`).toBeLessThanOrEqual(1 + Math.ceil(cutBytes / 60));
    await checkEvents(log, acknowledged);
    await checkCommits(log, commits);
    await log.close();
  }
});

async function cutLastSegment(directory: string, topic: string): Promise<number> {
  const folder = path.join(directory, 'topics', topic);
  const last = path.join(
    folder,
    (await readdir(folder))
      .filter((name) => name.endsWith('.seg'))
      .sort()
      .slice(-1)[0],
  );
  const { size } = await stat(last);
  const bytes = Math.min(size, 1 + Math.floor(Math.random() * 200));
  await truncate(last, size - bytes);
  return bytes;
}

/** Drops acknowledged batches in a range that the log reports as lost. Returns their number. */
async function forgetLost(log: EventLog, acknowledged: Map<string, string>): Promise<number> {
  let lost = 0;
  for (const [batch, place] of acknowledged) {
    const [topic = '', position = ''] = place.split(' ');
    if ((await cutAround(log, topic, position)) === undefined) continue;
    acknowledged.delete(batch);
    lost++;
  }
  return lost;
}

/** Events are numbered without gaps except where the log reports a cut. */
function expectConsecutive(events: readonly StoredEvent[], cuts: readonly LogCut[]): void {
  const resumed = new Set(cuts.map(({ resumesAt }) => resumesAt));
  let expected = 0;
  for (const { position } of events) {
    if (resumed.has(position)) expected = fromSequencePosition(position);
    expect(fromSequencePosition(position)).toBe(expected++);
  }
}

/** Starts the writer, kills it some milliseconds after its first output, and returns that output. */
async function runUntilKilled(script: string, directory: string, kill: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, directory, String(kill + 1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const exited = new Promise((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the writer ended with ${code}`)));
    child.stdout.on('data', (text: Buffer) => {
      output += text;
      if (output.includes('ack')) resolve();
    });
  });
  await sleep(Math.random() * 120);
  child.kill('SIGKILL');
  await exited;
  return output.split('\n').slice(0, -1);
}

function noteLines(lines: string[], acknowledged: Map<string, string>, commits: Map<string, Set<string>>): number {
  let count = 0;
  for (const line of lines) {
    const [kind, a = '', b = '', c = '', d = ''] = line.split(' ');
    if (kind === 'ack') acknowledged.set(b, `${a} ${c} ${d}`);
    if (kind === 'commit') commits.set(`${a} ${b}`, (commits.get(`${a} ${b}`) ?? new Set()).add(c));
    if (kind === 'ack') count++;
  }
  return count;
}

async function checkEvents(log: EventLog, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const found = new Map<string, string>();
  for (const topic of await log.topics()) {
    const events = await readAll(log, topic, { fromStart: true });
    expectConsecutive(events, await log.cuts(topic));
    for (let at = 0; at < events.length; ) at += checkBatch(events, at, topic, found);
  }
  for (const [batch, place] of acknowledged) expect(found.get(batch), `batch ${batch}`).toBe(place);
}

/** A batch is whole and in one place. */
function checkBatch(events: readonly StoredEvent[], at: number, topic: string, found: Map<string, string>): number {
  const [batch = '', , count = ''] = events[at].headers.get('Batch')?.split(' ') ?? [];
  const members = events.slice(at, at + Number(count)).map(({ headers }) => headers.get('Batch'));
  expect(members).toEqual(Array.from({ length: Number(count) }, (_, index) => `${batch} ${index} ${count}`));
  found.set(batch, `${topic} ${events[at].position} ${count}`);
  return Number(count);
}

/** The committed position is the last acknowledged one, or one that was on its way. */
async function checkCommits(log: EventLog, commits: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
  for (const [key, positions] of commits) {
    const [group = '', topic = ''] = key.split(' ');
    const position = await log.committed(group, topic);
    expect(position, key).toBeDefined();
    const last = [...positions].slice(-1)[0];
    expect(log.comparePositions(position!, last), `${key}: ${position} after ${last}`).toBeGreaterThanOrEqual(0);
  }
}
