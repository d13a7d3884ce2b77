import { CodedError } from '@cairn/errors';
import { createEvent, createMemoryEventLog } from '@cairn/events';
import { afterEach, describe, expect, it } from 'vitest';
import { listDeadLetters, retryDeadLetter } from '../dead-letters/dead-letters.ts';
import { createSystemClock } from '../testing/clock.ts';
import { readAll } from '../testing/drain.ts';
import { createHeldLog, type HeldLog } from '../testing/held-log.ts';
import { type House, NAMESPACE, openHouse, SECRET } from '../testing/house.ts';

/** A write waits this long for what must be before and after it, milliseconds: for longer than a loaded machine takes. */
const PATIENCE_MS = 60_000;
/** The same where what it waits for never comes. */
const SHORT_PATIENCE_MS = 50;
const WRITES = [0, 1, 2] as const;

interface Setting extends House {
  readonly log: HeldLog;
  /** The ids of documents that writes are about. */
  readonly ids: readonly string[];
  /** Puts the clock forward. */
  readonly passTime: (ms: number) => void;
}

interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A way to write, and what the log holds of the write. */
interface Door {
  readonly name: string;
  write(setting: Setting, n: number, waiting: Waiting): Promise<unknown>;
  readonly topic: string;
  isOf(text: string, key: string | undefined, n: number, setting: Setting): boolean;
  /** True when its writes take turns and wait for their dataset before they are written. */
  readonly takesTurns?: boolean;
  /** True when nobody waits for caches after the append. */
  readonly answersAtOnce?: boolean;
  /** True when nothing can be cancelled. */
  readonly hasNoSignal?: boolean;
}

const marker = (n: number): string => `urn:marker${n}`;

const DOORS: readonly Door[] = [
  {
    name: 'an update',
    topic: 'knowledge',
    takesTurns: true,
    isOf: (text, _key, n) => text.includes(marker(n)),
    write: ({ ingest }, n, waiting) =>
      ingest.update({
        ...{ dataset: 'knowledge', ...waiting },
        evaluate: (data) => data.evaluateUpdate(SECRET, `INSERT DATA { <${marker(n)}> <urn:p> 1 }`, { label: '*' }),
      }),
  },
  {
    name: 'a load',
    topic: 'knowledge',
    isOf: (text, _key, n) => text.includes(marker(n)),
    write: ({ ingest }, n, waiting) => ingest.load({ ...rdf(n), ...waiting }),
  },
  {
    name: 'a load that may be late',
    topic: 'knowledge',
    isOf: (text, _key, n) => text.includes(marker(n)),
    write: ({ ingest }, n, waiting) => ingest.load({ ...rdf(n), ...waiting, mayBeLate: true }),
  },
  {
    name: 'a load of a stream',
    topic: 'knowledge',
    isOf: (text, _key, n) => text.includes(marker(n)),
    write: ({ ingest }, n, waiting) => ingest.load({ ...rdf(n), value: stream(rdf(n).value), ...waiting }),
  },
  {
    name: 'a correction',
    topic: 'document.corrections',
    isOf: (text, key, n, { ids }) => key === NAMESPACE + ids[n] && text.includes(marker(n)),
    write: ({ ingest, ids }, n, waiting) =>
      ingest.correctEntity(
        SECRET,
        {
          ...{ documentUri: NAMESPACE + ids[n], entityText: 'Eagle', resolvedEntityUri: marker(n) },
          entityCategory: 'https://example.org/id/Vehicle',
          resolvedCategory: 'https://example.org/id/LunarModule',
        },
        waiting,
      ),
  },
  {
    name: 'a deletion',
    topic: 'document.extractrequest',
    answersAtOnce: true,
    hasNoSignal: true,
    isOf: (text, key, n, { ids }) => key === NAMESPACE + ids[n] && text.includes('labels'),
    write: ({ ingest, ids }, n) => ingest.deleteDocument(SECRET, ids[n]),
  },
  {
    name: 'a removal for ever',
    topic: 'document.extractrequest',
    hasNoSignal: true,
    isOf: (text, key, n, { ids }) => key === NAMESPACE + ids[n] && text.includes('forget'),
    write: ({ ingest, ids }, n, waiting) => ingest.forget(ids[n], waiting),
  },
  {
    name: 'an upload',
    topic: 'document.extractrequest',
    answersAtOnce: true,
    isOf: (text, _key, n) => text.includes(marker(n)),
    write: ({ upload }, n) => upload({ 'n.txt': `holds ${marker(n)}` }),
    hasNoSignal: true,
  },
  {
    name: 'a dead letter that is retried',
    topic: 'document.textandmetadata',
    answersAtOnce: true,
    hasNoSignal: true,
    isOf: (_text, key, n) => key === `retried${n}`,
    write: async ({ log }, n) => {
      const letters = [];
      for await (const letter of listDeadLetters(log, 'document.textandmetadata')) letters.push(letter);
      const { topic, position } = letters.find(({ eventId }) => eventId === `retried${n}`)!;
      return retryDeadLetter(log, topic, position);
    },
  },
];

function rdf(n: number): { dataset: string; contentType: string; label: string; value: Uint8Array } {
  const value = new TextEncoder().encode(`<${marker(n)}> <urn:p> 1 .`);
  return { dataset: 'knowledge', contentType: 'text/turtle', label: '*', value };
}

async function* stream(value: Uint8Array): AsyncGenerator<Uint8Array> {
  yield value;
}

const houses: House[] = [];

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

async function openSetting(): Promise<Setting> {
  const log = createHeldLog(createMemoryEventLog());
  const clock = createSystemClock();
  let aheadMs = 0;
  const house = await openHouse({ log }, { clock: { ...clock, nowMs: () => clock.nowMs() + aheadMs } });
  houses.push(house);
  await house.load('ex:eagle a ex:Vehicle ; rdfs:label "Eagle" .');
  const ids: string[] = [];
  for (const n of WRITES) ids.push((await house.upload({ 'a.txt': `The Eagle, ${n} times.` })).documents[0].id);
  const bad = WRITES.map((n) => createEvent({ id: `retried${n}`, key: `retried${n}`, type: 'x', value: 'no JSON' }));
  await log.append('document.textandmetadata', bad);
  await house.ingest.settle();
  const passTime = (ms: number): void => {
    aheadMs += ms;
  };
  return { ...house, log, ids, passTime };
}

async function written(setting: Setting, door: Door, n: number, before: number): Promise<number> {
  const events = await readAll(setting.log, door.topic);
  const texts = events.slice(before).map(({ value, key }) => ({ text: new TextDecoder().decode(value), key }));
  return texts.filter(({ text, key }) => door.isOf(text, key, n, setting)).length;
}

type Outcome = 'done' | 'durable' | 'not written' | 'refused';

async function outcomeOf(write: Promise<unknown>): Promise<Outcome> {
  try {
    await write;
    return 'done';
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.message.includes('durable')) {
      expect(error.retryable, error.message).toBe(false);
      return 'durable';
    }
    const isUnwritten = error.kind === 'cancelled' || error.message.includes('nothing was written');
    return isUnwritten ? 'not written' : 'refused';
  }
}

interface Trouble {
  readonly name: string;
  /** Begins it, writes, and ends it. */
  meet(setting: Setting, write: (n: number) => Promise<Outcome>, leave: (n: number) => void): Promise<Outcome[]>;
  expected(door: Door): readonly Outcome[];
  /** How long writes wait, milliseconds. Default {@link PATIENCE_MS}. */
  readonly patienceMs?: number;
  readonly isFor?: (door: Door) => boolean;
}

const all = (outcome: Outcome): Outcome[] => WRITES.map(() => outcome);
const projectorsOf = ({ ingest }: Setting) => ingest.projectors;
const isWaitedFor = (door: Door): boolean => door.answersAtOnce !== true;
const afterwards = (door: Door): Outcome =>
  door.answersAtOnce || door.name === 'a load that may be late' ? 'done' : 'durable';

const TROUBLES: readonly Trouble[] = [
  {
    name: 'an append that takes long',
    expected: () => all('done'),
    // It is no failure of those behind it: their dataset is where the log is when their turn comes.
    async meet({ log, passTime }, write) {
      log.hold();
      const outcomes = WRITES.map(write);
      await log.held();
      passTime(2 * PATIENCE_MS);
      log.release();
      return Promise.all(outcomes);
    },
  },
  {
    name: 'an append that is refused',
    expected: () => all('refused'),
    async meet({ log }, write) {
      log.refuse(() => new CodedError({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'the disk is full' }));
      const outcomes = await Promise.all(WRITES.map(write));
      log.release();
      return outcomes;
    },
  },
  {
    name: 'projectors that stand still',
    patienceMs: SHORT_PATIENCE_MS,
    expected: (door) => (door.takesTurns ? ['durable', 'not written', 'not written'] : all(afterwards(door))),
    async meet(setting, write) {
      for (const projector of projectorsOf(setting)) await projector.pause();
      const outcomes = await Promise.all(WRITES.map(write));
      for (const projector of projectorsOf(setting)) projector.resume();
      return outcomes;
    },
  },
  {
    name: 'clients that leave while the first is appended',
    isFor: (door) => door.hasNoSignal !== true,
    expected: (door) =>
      door.topic === 'knowledge' ? [afterwards(door), 'not written', 'not written'] : all(afterwards(door)),
    async meet(setting, write, leave) {
      for (const projector of projectorsOf(setting)) await projector.pause();
      setting.log.hold();
      const outcomes = WRITES.map(write);
      await setting.log.held();
      await someTurns();
      WRITES.forEach(leave);
      setting.log.release();
      const ended = await Promise.all(outcomes);
      for (const projector of projectorsOf(setting)) projector.resume();
      return ended;
    },
  },
  {
    name: 'clients that have left before',
    isFor: (door) => door.hasNoSignal !== true,
    expected: () => all('not written'),
    async meet(_setting, write, leave) {
      WRITES.forEach(leave);
      return Promise.all(WRITES.map(write));
    },
  },
  {
    name: 'a stop of the projectors that are waited for',
    isFor: isWaitedFor,
    expected: (door) => (door.takesTurns ? ['durable', 'not written', 'not written'] : all(afterwards(door))),
    async meet(setting, write) {
      for (const projector of projectorsOf(setting)) await projector.pause();
      const outcomes = WRITES.map(write);
      await someTurns();
      await setting.ingest.stop();
      const ended = await Promise.all(outcomes);
      for (const projector of projectorsOf(setting)) projector.resume();
      await setting.ingest.start();
      return ended;
    },
  },
];

/** Time for the writes behind the first to come as far as they can. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const CASES = TROUBLES.flatMap((trouble) =>
  DOORS.filter((door) => trouble.isFor?.(door) ?? true).map((door) => ({
    title: `${door.name} beside ${trouble.name}`,
    ...{ trouble, door },
  })),
);

describe('what a write is answered is true:', () => {
  it.each(CASES)('$title', async ({ trouble, door }) => {
    const setting = await openSetting();
    const before = (await readAll(setting.log, door.topic)).length;
    const clients = WRITES.map(() => new AbortController());
    const outcomes = await trouble.meet(
      setting,
      (n) => {
        const timeoutMs = trouble.patienceMs ?? PATIENCE_MS;
        return outcomeOf(door.write(setting, n, { timeoutMs, signal: clients[n].signal }));
      },
      (n) => clients[n].abort(),
    );
    expect(outcomes).toEqual(trouble.expected(door));
    await setting.ingest.settle();
    // Nothing is appended later either.
    const counts = await Promise.all(WRITES.map((n) => written(setting, door, n, before)));
    expect(counts).toEqual(outcomes.map((outcome) => (outcome === 'done' || outcome === 'durable' ? 1 : 0)));
  });
});
