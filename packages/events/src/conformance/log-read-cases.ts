import { type ConformanceCase, casesOf, rereadingFaults } from '@cairn/errors/conformance';
import { createEvent } from '../event/create-event.ts';
import type { StoredEvent } from '../event/event.ts';
import { ensure, ensureEqual, ensureRefused, pause, soon } from './assertions.ts';
import { seededRandom } from './delayed-source.ts';
import { type EventLogHarness, numberedEvents, readAll, valuesOf } from './log-harness.ts';

/** Laws of reading, waiting and stopping. */
export const readCases: readonly ConformanceCase<EventLogHarness>[] = casesOf<EventLogHarness>('core', {
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one law, asked of every way to read
  async 'gives every reader bytes of its own'({ log }) {
    const headers = { Kept: 'as it was' };
    const events = ['first', 'second'].map((value) => createEvent({ id: value, type: 't', headers, value }));
    const positions = await log.append('t', events);
    const readers: Readonly<Record<string, () => Promise<StoredEvent[]>>> = {
      read: () => readAll(log, 't'),
      'read in batches of one': () => readAll(log, 't', { maxBatchEvents: 1 }),
      'read after a position': () => readAll(log, 't', { after: positions[0] }),
      eventAt: async () =>
        (await Promise.all(positions.map((position) => log.eventAt?.('t', position)))).flatMap((event) => event ?? []),
    };
    for (const [name, read] of Object.entries(readers)) {
      const before = await read();
      for (const { value, headers: given } of await read()) {
        value.fill(0);
        for (const pair of [...given.toArray(), ...given]) if (!Object.isFrozen(pair)) Reflect.set(pair, 1, 'changed');
      }
      for (const seen of [before, await read(), (await readAll(log, 't')).slice(-before.length || 2)]) {
        const kept = seen.map((event) => [new TextDecoder().decode(event.value), event.headers.get('Kept')]);
        const expected = ['first', 'second'].slice(-seen.length).map((value) => [value, 'as it was']);
        ensureEqual(kept, seen.length === 0 ? [] : expected, `events after what ${name} gave was overwritten`);
      }
    }
  },

  async 'reads after any position'({ log }) {
    const positions = await log.append('t', numberedEvents(10));
    for (let n = 0; n < positions.length; n++) {
      const rest = valuesOf(await readAll(log, 't', { after: positions[n] }));
      ensureEqual(rest, valuesOf(numberedEvents(10)).slice(n + 1), `values after position ${n}`);
    }
  },

  async 'yields batches that are never empty and never larger than asked for'({ log }) {
    await log.append('t', numberedEvents(7));
    await log.append('t', numberedEvents(4, 'f'));
    for (const maxBatchEvents of [1, 2, 3, 5, 100]) {
      const sizes: number[] = [];
      const values: string[] = [];
      for await (const batch of log.read('t', { maxBatchEvents })) {
        sizes.push(batch.length);
        values.push(...valuesOf(batch));
      }
      const areRight = sizes.every((size) => size >= 1 && size <= maxBatchEvents);
      ensure(areRight, `batches of 1 to ${maxBatchEvents}; got ${sizes}`);
      ensureEqual(values, [...valuesOf(numberedEvents(7)), ...valuesOf(numberedEvents(4, 'f'))], 'values');
    }
  },

  async 'never gives less when what it gave is read again'({ log }) {
    await log.append('t', numberedEvents(3));
    for (const maxBatchEvents of [1, 100]) {
      ensureEqual(await rereadingFaults(() => log.read('t', { maxBatchEvents })), [], 'faults of a second reading');
    }
  },

  async 'yields nothing for a topic that does not exist'({ log }) {
    ensureEqual(await readAll(log, 'unknown'), [], 'events');
    ensureEqual(await log.topics(), [], 'topics: reading makes none');
  },

  async 'reads a topic from its start when nothing was removed'({ log }) {
    await log.append('t', numberedEvents(3));
    ensureEqual((await readAll(log, 't', { fromStart: true })).length, 3, 'number of events');
  },

  async 'wakes every waiting reader on append, and each reads each event once'({ log }) {
    const controller = new AbortController();
    await log.append('t', numberedEvents(2));
    const readers = [1, 2, 3].map(() => readUntil(log.read('t', { wait: true, signal: controller.signal }), 6));
    await pause(5);
    await log.append('t', numberedEvents(1, 'f'));
    await pause(5);
    await log.append('t', numberedEvents(3, 'g'));
    for (const events of await soon(Promise.all(readers), 'waiting readers')) {
      ensureEqual(valuesOf(events), ['e0', 'e1', 'f0', 'g0', 'g1', 'g2'], 'values');
    }
    controller.abort();
  },

  async 'gives every event once and in order to readers that stall, while batches come in jerks'({ log }) {
    const random = seededRandom(1);
    const count = 300;
    const readers = [1, 7, 1000].map(async (maxBatchEvents) => {
      const values: string[] = [];
      for await (const batch of log.read('t', { wait: true, maxBatchEvents })) {
        values.push(...valuesOf(batch));
        if (values.length >= count) break;
        if (random() < 0.1) await pause(random() * 4);
      }
      return values;
    });
    for (let sent = 0; sent < count; ) {
      const size = Math.min(count - sent, 1 + Math.floor(random() * 30));
      const appended = log.append('t', numberedEvents(sent + size).slice(sent));
      if (random() < 0.5) await appended;
      if (random() < 0.3) await pause(random() * 4);
      sent += size;
    }
    const expected = valuesOf(numberedEvents(count));
    for (const values of await soon(Promise.all(readers), 'stalling readers')) ensureEqual(values, expected, 'values');
  },

  async 'waits for a topic that does not exist yet'({ log }) {
    const reading = readUntil(log.read('later', { wait: true }), 1);
    await pause(5);
    ensureEqual(await log.topics(), [], 'topics: waiting makes none');
    await log.append('later', numberedEvents(1));
    ensureEqual(valuesOf(await soon(reading, 'the waiting reader')), ['e0'], 'values');
  },

  async 'ends quietly when aborted while waiting, before reading and between batches'({ log }) {
    await log.append('t', numberedEvents(4));
    const waiting = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const batch of log.read('t', { wait: true, signal: waiting.signal })) seen.push(...valuesOf(batch));
    })();
    await pause(10);
    waiting.abort();
    await soon(reading, 'the aborted reader');
    ensureEqual(seen.length, 4, 'events seen before');
    ensureEqual(await readAll(log, 't', { wait: true, signal: AbortSignal.abort() }), [], 'events after abort');
    const between = new AbortController();
    let batches = 0;
    for await (const _ of log.read('t', { maxBatchEvents: 1, wait: true, signal: between.signal })) {
      batches++;
      between.abort();
    }
    ensureEqual(batches, 1, 'batches before the abort');
  },

  async 'lets a reader stop early'({ log }) {
    await log.append('t', numberedEvents(10));
    for await (const _ of log.read('t', { maxBatchEvents: 1, wait: true })) break;
    ensureEqual((await readAll(log, 't')).length, 10, 'number of events read afterwards');
  },

  async 'reads while others append, without a gap or a repeat'({ log }) {
    const reading = readUntil(log.read('t', { wait: true, maxBatchEvents: 7 }), 300);
    for (let n = 0; n < 100; n++) await log.append('t', numberedEvents(3, `n${n}-`));
    const events = await soon(reading, 'the reader');
    const expected = Array.from({ length: 100 }, (_, n) => valuesOf(numberedEvents(3, `n${n}-`))).flat();
    ensureEqual(valuesOf(events), expected, 'values');
  },

  async 'refuses a position of another kind or beyond the end'({ log }) {
    const [only] = await log.append('t', numberedEvents(1));
    const [, , later] = await log.append('longer', numberedEvents(3));
    ensureEqual(await readAll(log, 't', { after: only }), [], 'events after the last');
    for (const after of ['', 'x', '-1', '../0']) {
      await ensureRefused(() => readAll(log, 't', { after }), 'ERR_POSITION_INVALID', `read after ${after}`);
    }
    await ensureRefused(() => readAll(log, 't', { after: later }), 'ERR_POSITION_INVALID', 'read beyond the end');
  },

  async 'refuses a batch size that is none'({ log }) {
    for (const maxBatchEvents of [0, -1, 1.5, Number.NaN]) {
      const read = (): Promise<StoredEvent[]> => readAll(log, 't', { maxBatchEvents });
      await ensureRefused(read, 'ERR_ARGUMENT', `maxBatchEvents ${maxBatchEvents}`);
    }
  },
});

async function readUntil(batches: AsyncIterable<readonly StoredEvent[]>, count: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of batches) {
    events.push(...batch);
    if (events.length >= count) break;
  }
  return events;
}
