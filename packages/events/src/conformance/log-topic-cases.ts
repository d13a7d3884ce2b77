import { isCodedError } from '@cairn/errors';
import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import { createEvent } from '../event/create-event.ts';
import type { Position, StoredEvent } from '../event/event.ts';
import { HEADER } from '../event/header-names.ts';
import { cutAround, type EventLog } from '../log/event-log.ts';
import { ensure, ensureEqual, ensureRefused, pause, soon } from './assertions.ts';
import { type EventLogHarness, numberedEvents, positionsOf, readAll, valuesOf } from './log-harness.ts';

/** Laws of topics, consumer groups, closing and reopening. */
export const topicCases: readonly ConformanceCase<EventLogHarness>[] = casesOf<EventLogHarness>('core', {
  async 'keeps topics apart and lists those with events, sorted'({ log }) {
    const long = ['z'.repeat(100), 'Z'.repeat(100)];
    const names = ['b', 'a', 'B', 'A', '__proto__', 'constructor', 'a.dlq', '0', 'a-b_c', '.hidden', ...long];
    for (const name of names) await log.append(name, numberedEvents(1, name));
    for (const name of names) ensureEqual(valuesOf(await readAll(log, name)), [`${name}0`], `values of ${name}`);
    ensureEqual(await log.topics(), [...names].sort(), 'topics');
  },

  async 'refuses names that name no topic'({ log }) {
    for (const name of ['', '.', '..', 'a/b', '../up', 'a\\b', 'a b', 'a\u0000', '\u00e9', 'x'.repeat(101)]) {
      const calls = [
        () => log.append(name, numberedEvents(1)),
        () => readAll(log, name),
        () => log.end(name),
        () => log.lag(name, undefined),
        () => log.commit('g', name, 'x'),
        () => log.committed('g', name),
        () => log.cuts(name),
      ];
      for (const call of calls) await ensureRefused(call, 'ERR_TOPIC_INVALID', `topic ${JSON.stringify(name)}`);
    }
    ensureEqual(await log.topics(), [], 'topics');
  },

  async 'knows the end of each topic'({ log }) {
    ensureEqual(await log.end('t'), undefined, 'end of an unknown topic');
    const positions = await log.append('t', numberedEvents(3));
    ensureEqual(await log.end('t'), positions[2], 'end');
    await log.append('other', numberedEvents(5));
    ensureEqual(await log.end('t'), positions[2], 'end after appending elsewhere');
  },

  async 'knows an event by its position, if it knows any so'(harness) {
    if (harness.log.eventAt === undefined) return;
    const positions = await harness.log.append('t', numberedEvents(3));
    const [other] = await harness.log.append('other', numberedEvents(1, 'o'));
    positions.push(...(await harness.log.append('t', numberedEvents(2, 'f'))));
    const check = async (log: EventLog): Promise<void> => {
      const at = await Promise.all(positions.map((position) => log.eventAt?.('t', position)));
      const read = await readAll(log, 't');
      const facts = (event: StoredEvent | undefined) => [event?.position, event?.timestampMs, event?.headers.toArray()];
      ensureEqual(at.map(facts), read.map(facts), 'events');
      const inOther = await log.eventAt?.('other', other);
      ensureEqual(inOther?.headers.get(HEADER.eventId), 'o0', 'the event in another topic');
      ensureEqual(await log.eventAt?.('other', positions[4]), undefined, 'an event beyond the end');
      ensureEqual(await log.eventAt?.('unknown', other), undefined, 'an event in an unknown topic');
      // No log gave these out: the event that comes next is not theirs.
      for (const none of ['nonsense', `${positions[0]}0`, `${positions[0]}x`]) {
        const event = await log.eventAt?.('t', none).catch((error: unknown) => {
          if (!isCodedError(error) || error.code !== 'ERR_POSITION_INVALID') throw error;
        });
        ensureEqual(event, undefined, `an event at ${none}`);
      }
    };
    await check(harness.log);
    await reopened(harness, check);
  },

  async 'counts how far a reader lags'({ log }) {
    ensureEqual(await log.lag('t', undefined), 0, 'lag in an unknown topic');
    const positions = await log.append('t', numberedEvents(5));
    ensureEqual(await log.lag('t', undefined), 5, 'lag from the start');
    for (let n = 0; n < 5; n++) ensureEqual(await log.lag('t', positions[n]), 4 - n, `lag after position ${n}`);
  },

  async 'keeps a position for each group and topic'({ log }) {
    const positions = await log.append('t', numberedEvents(3));
    const [other] = await log.append('u', numberedEvents(1));
    ensureEqual(await log.committed('g', 't'), undefined, 'before any commit');
    const groups = ['g', 'G', '__proto__', 'constructor', 'dataset:knowledge/1', '\u00e9'];
    for (const group of groups) await log.commit(group, 't', positions[1]);
    await log.commit('g', 'u', other);
    await log.commit('g', 't', positions[2]);
    ensureEqual(await log.committed('g', 't'), positions[2], 'the last commit');
    ensureEqual(await log.committed('g', 'u'), other, 'another topic');
    for (const group of groups.slice(1)) ensureEqual(await log.committed(group, 't'), positions[1], `group ${group}`);
    ensureEqual(await log.committed('hasOwnProperty', 't'), undefined, 'a group that never committed');
  },

  async 'lets a group go back'({ log }) {
    const positions = await log.append('t', numberedEvents(3));
    await log.commit('g', 't', positions[2]);
    await log.commit('g', 't', positions[0]);
    ensureEqual(await log.committed('g', 't'), positions[0], 'the last commit');
  },

  async 'refuses bad groups and positions'({ log }) {
    const [position] = await log.append('t', numberedEvents(1));
    for (const group of ['', 'a\nb', 'x'.repeat(201)]) {
      await ensureRefused(() => log.commit(group, 't', position), 'ERR_GROUP_INVALID', 'commit of a bad group');
      await ensureRefused(() => log.committed(group, 't'), 'ERR_GROUP_INVALID', 'committed of a bad group');
    }
    await ensureRefused(() => log.commit('g', 't', 'nonsense'), 'ERR_POSITION_INVALID', 'commit of a bad position');
    ensureEqual(await log.committed('g', 't'), undefined, 'committed');
  },

  async 'takes commits of many groups at once'({ log }) {
    const positions = await log.append('t', numberedEvents(20));
    await Promise.all(positions.map((position, n) => log.commit(`g${n}`, 't', position)));
    for (let n = 0; n < 20; n++) ensureEqual(await log.committed(`g${n}`, 't'), positions[n], `group g${n}`);
  },

  async 'refuses every call after close, and wakes who waits'({ log }) {
    const [position] = await log.append('t', numberedEvents(1));
    const waiting = readAll(log, 't', { wait: true });
    waiting.catch(() => undefined);
    await pause(5);
    await log.close();
    await ensureRefused(() => soon(waiting, 'the waiting reader'), 'ERR_LOG_CLOSED', 'waiting while the log closes');
    const calls: Record<string, () => unknown> = {
      append: () => log.append('t', numberedEvents(1)),
      'append of nothing': () => log.append('t', []),
      read: () => readAll(log, 't'),
      end: () => log.end('t'),
      lag: () => log.lag('t', undefined),
      commit: () => log.commit('g', 't', position),
      committed: () => log.committed('g', 't'),
      cuts: () => log.cuts('t'),
      ...(log.eventAt === undefined ? {} : { eventAt: () => log.eventAt?.('t', position) }),
      topics: () => log.topics(),
    };
    for (const [name, call] of Object.entries(calls)) await ensureRefused(call, 'ERR_LOG_CLOSED', name);
    await log.close();
  },

  async 'finishes what was accepted before it closes'(harness) {
    const accepted = Array.from({ length: 10 }, (_, n) => harness.log.append('t', numberedEvents(2, `a${n}-`)));
    await harness.log.close();
    const outcomes = await Promise.allSettled(accepted);
    await reopened(harness, async (log) => {
      const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
      ensureEqual(positionsOf(await readAll(log, 't')), kept, 'positions');
    });
  },

  async 'keeps events, positions and groups when reopened'(harness) {
    const { log } = harness;
    const first = await log.append('t', numberedEvents(100));
    const keyed = createEvent({ id: 'k', type: 'test', key: 'key', headers: { Owner: ['a', 'b'] }, value: 'v' });
    const [second] = await log.append('__proto__', [keyed]);
    await log.commit('g', 't', first[41]);
    const [before] = await readAll(log, '__proto__');
    await reopened(harness, async (again) => {
      ensureEqual(positionsOf(await readAll(again, 't', { after: first[97] })), first.slice(98), 'tail');
      ensureEqual(await again.committed('g', 't'), first[41], 'committed');
      ensureEqual([await again.end('t'), await again.end('__proto__')], [first[99], second], 'ends');
      ensureEqual(await again.topics(), ['__proto__', 't'], 'topics');
      const [stored] = await readAll(again, '__proto__');
      ensureEqual([stored?.key, stored?.timestampMs], [before?.key, before?.timestampMs], 'key and time');
      ensureEqual(stored?.headers.toArray(), keyed.headers.toArray(), 'headers');
      const [next] = await again.append('t', numberedEvents(1, 'n'));
      ensure(again.comparePositions(first[99], next) < 0, 'new positions to come after the old ones');
      ensureEqual(valuesOf(await readAll(again, 't', { after: first[98] })), ['e99', 'n0'], 'values');
    });
  },

  async 'has lost nothing unless it says so'(harness) {
    ensureEqual(await harness.log.cuts('t'), [], 'cuts of an unknown topic');
    const positions = await harness.log.append('t', numberedEvents(3));
    ensureEqual(await harness.log.cuts('t'), [], 'cuts');
    ensureEqual(await cutAround(harness.log, 't', positions[1]), undefined, 'cut around an event');
    await reopened(harness, async (log) => ensureEqual(await log.cuts('t'), [], 'cuts when reopened'));
  },

  async 'gives no position of a lost event to another, and reads on behind it'(harness) {
    const { log } = harness;
    const kept = await log.append('t', numberedEvents(3));
    const lost = await log.append('t', numberedEvents(2, 'lost'));
    await log.commit('g', 't', lost[1]);
    const cut = await harness.damageEnd?.('t');
    if (cut === undefined) return;
    try {
      await checkCut(cut, kept, lost);
    } finally {
      await cut.close();
    }
  },
});

async function checkCut(log: EventLog, kept: readonly Position[], lost: readonly Position[]): Promise<void> {
  ensureEqual(await log.end('t'), kept[2], 'end of the cut topic');
  ensureEqual(valuesOf(await readAll(log, 't', { fromStart: true })), ['e0', 'e1', 'e2'], 'what was kept');
  for (const position of lost) {
    ensureEqual(await readAll(log, 't', { after: position }), [], `events after the lost position ${position}`);
    ensureEqual(await log.lag('t', position), 0, `lag after the lost position ${position}`);
    ensureEqual((await cutAround(log, 't', position))?.after, kept[2], `the cut around ${position}`);
  }
  for (const position of kept) ensureEqual(await cutAround(log, 't', position), undefined, `cut around ${position}`);
  ensureEqual(await log.committed('g', 't'), lost[1], 'the group that had read what was lost');
  const waiting = log.read('t', { after: lost[1], wait: true })[Symbol.asyncIterator]();
  const next = waiting.next();
  const fresh = await log.append('t', numberedEvents(3, 'n'));
  for (const position of fresh) {
    ensure(log.comparePositions(position, lost[1]) > 0, `${position} to come after the lost position ${lost[1]}`);
    ensureEqual(await cutAround(log, 't', position), undefined, `cut around ${position}`);
  }
  ensureEqual((await soon(next, 'the waiting reader')).value?.[0]?.position, fresh[0], 'what the waiting reader gets');
  await waiting.return?.();
  ensureEqual(await log.end('t'), fresh[2], 'end');
  for (const position of lost) ensureEqual(await log.eventAt?.('t', position), undefined, `the event at ${position}`);
  for (const [after, values] of [
    [undefined, ['e0', 'e1', 'e2', 'n0', 'n1', 'n2']],
    [kept[1], ['e2', 'n0', 'n1', 'n2']],
    [kept[2], ['n0', 'n1', 'n2']],
    [lost[0], ['n0', 'n1', 'n2']],
    [lost[1], ['n0', 'n1', 'n2']],
    [fresh[0], ['n1', 'n2']],
  ] as const) {
    ensureEqual(valuesOf(await readAll(log, 't', { after })), values, `values after ${after}`);
    ensureEqual(await log.lag('t', after), values.length, `lag after ${after}`);
  }
}

/** Runs a check on the reopened log, if the implementation is durable. */
async function reopened(harness: EventLogHarness, check: (log: EventLog) => Promise<void>): Promise<void> {
  const log = await harness.reopen?.();
  if (log === undefined) return;
  try {
    await check(log);
  } finally {
    await log.close();
  }
}
