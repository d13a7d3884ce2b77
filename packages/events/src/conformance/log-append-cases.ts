import { type ConformanceCase, casesOf } from '@cairn/errors/conformance';
import { createEvent } from '../event/create-event.ts';
import { createHeaders } from '../event/header-list.ts';
import { ensure, ensureEqual, ensureRefused } from './assertions.ts';
import { asViewingBytes } from './delayed-source.ts';
import { type EventLogHarness, numberedEvents, positionsOf, readAll, valuesOf } from './log-harness.ts';

/** Laws of appending, and of what comes back. */
export const appendCases: readonly ConformanceCase<EventLogHarness>[] = casesOf<EventLogHarness>('core', {
  async 'gives each event of a batch a position of its own, ascending'({ log }) {
    const positions = [...(await log.append('t', numberedEvents(12))), ...(await log.append('t', numberedEvents(2)))];
    ensureEqual(positions.length, 14, 'number of positions');
    for (let n = 1; n < positions.length; n++) {
      ensure(log.comparePositions(positions[n - 1], positions[n]) < 0, `position ${n - 1} before position ${n}`);
      ensure(log.comparePositions(positions[n], positions[n - 1]) > 0, `position ${n} after position ${n - 1}`);
    }
    ensure(log.comparePositions(positions[0], positions[0]) === 0, 'a position to equal itself');
    ensureEqual(positionsOf(await readAll(log, 't')), positions, 'positions as read');
  },

  async 'reads in the order of append'({ log }) {
    for (const prefix of ['a', 'b', 'c']) await log.append('t', numberedEvents(3, prefix));
    const expected = ['a0', 'a1', 'a2', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2'];
    ensureEqual(valuesOf(await readAll(log, 't')), expected, 'values');
  },

  async 'keeps key, topic and a plausible time of append'({ log }) {
    const value = new Uint8Array([1]);
    const plain = createEvent({ id: '1', type: 'test', value });
    const keyed = createEvent({ id: '2', type: 'test', key: 'K\u00e9y', value });
    await log.append('t', [plain, keyed, { ...plain, key: '' }]);
    const [first, second, third] = await readAll(log, 't');
    ensureEqual([first?.key, second?.key, third?.key], [undefined, 'K\u00e9y', ''], 'keys');
    ensure(first !== undefined && first.key === undefined, 'no key where none was given');
    ensureEqual([first?.topic, second?.topic], ['t', 't'], 'topics');
    ensure(Number.isFinite(first?.timestampMs), 'timestampMs to be a number');
    ensure((second?.timestampMs ?? 0) >= (first?.timestampMs ?? 0), 'time not to go back');
  },

  async 'keeps every header: order, case, several values, text of any script'({ log }) {
    const headers = createHeaders([
      ['Security-Label', 'clearance=S'],
      ['exec-path', 'one'],
      ['X-Own', ''],
      ['Exec-Path', 'two'],
      ['__proto__', 'harmless'],
      ['constructor', '\u00e9\u4e2d\u{1F600}\n\t'],
      ['Long', 'x'.repeat(70_000)],
    ]);
    const event = createEvent({ id: 'h', type: 'test', headers, value: '' });
    await log.append('t', [event]);
    const [stored] = await readAll(log, 't');
    ensureEqual(stored?.headers.toArray(), event.headers.toArray(), 'headers');
    ensureEqual(stored?.headers.getAll('EXEC-PATH'), ['one', 'two'], 'values of a name in another case');
    ensureEqual(stored?.headers.get('x-own'), '', 'an empty value');
    ensureEqual(stored?.headers.get('__proto__'), 'harmless', 'a name of a prototype key');
    ensureEqual([stored?.headers.has('toString'), stored?.headers.get('missing')], [false, undefined], 'missing names');
  },

  async 'refuses a key with half of a surrogate pair, and nothing of its batch is appended'({ log }) {
    const [event] = numberedEvents(1);
    for (const key of ['\ud800', 'a\udc00b', '\udc00\ud800', '\u{1F600}\ud83d']) {
      const append = () => log.append('t', [event, { ...event, key }]);
      await ensureRefused(append, 'ERR_EVENT_INVALID', `the key ${JSON.stringify(key)}`);
    }
    ensureEqual(await log.end('t'), undefined, 'end of the topic');
    await log.append('t', [{ ...event, key: '\u{1F600}' }]);
    const [stored] = await readAll(log, 't');
    ensureEqual(stored?.key, '\u{1F600}', 'a key of a whole pair');
  },

  async 'takes an event without headers'({ log }) {
    await log.append('t', [{ headers: createHeaders(), value: new Uint8Array([9]) }]);
    const [stored] = await readAll(log, 't');
    ensureEqual([stored?.headers.toArray(), stored?.value], [[], [9]], 'headers and value');
  },

  async 'keeps values byte for byte'({ log }) {
    const everyByte = Uint8Array.from({ length: 1024 }, (_, n) => n);
    const values = [new Uint8Array(0), everyByte, new Uint8Array(300_000).fill(255), everyByte.subarray(3, 7)];
    const events = values.map((value, n) => createEvent({ id: `${n}`, type: 'test', value }));
    await log.append('t', events);
    const stored = (await readAll(log, 't')).map(({ value }) => value);
    ensureEqual(stored, values, 'values');
  },

  async 'keeps a value although the caller reuses its bytes'({ log }) {
    const values = [new Uint8Array([1, 2, 3]), asViewingBytes(new Uint8Array([1, 2, 3]))];
    for (const value of values) {
      const appended = log.append('t', [createEvent({ id: '1', type: 'test', value })]);
      value.fill(0);
      await appended;
      value.fill(9);
    }
    for (const stored of await readAll(log, 't')) {
      ensure(![0, 9].includes(stored.value[0]), 'the value as it was when append was called');
    }
  },

  async 'takes an empty batch and does nothing'({ log }) {
    ensureEqual(await log.append('t', []), [], 'positions');
    ensureEqual([await log.end('t'), await log.topics()], [undefined, []], 'end and topics');
  },

  async 'appends all of a batch or nothing'({ log, tooLargeBytes }) {
    if (tooLargeBytes === undefined) return;
    await log.append('t', numberedEvents(2));
    const large = createEvent({ id: 'large', type: 'test', value: new Uint8Array(tooLargeBytes) });
    const batch = [...numberedEvents(3, 'x'), large];
    await ensureRefused(() => log.append('t', batch), 'ERR_EVENT_TOO_LARGE', 'append of a too large event');
    await log.append('t', numberedEvents(1, 'y'));
    ensureEqual(valuesOf(await readAll(log, 't')), ['e0', 'e1', 'y0'], 'values');
  },

  async 'keeps batches whole and in order when many append at once'({ log }) {
    const writers = Array.from({ length: 20 }, (_, n) => `w${String.fromCharCode(97 + n)}`);
    const appended = await Promise.all(writers.map((name) => log.append('t', numberedEvents(5, name))));
    ensureEqual(new Set(appended.flat()).size, 100, 'distinct positions');
    const stored = await readAll(log, 't');
    ensureEqual(stored.length, 100, 'number of events');
    const byPosition = new Map(stored.map((event, index) => [event.position, index]));
    appended.forEach((positions, writer) => {
      const places = positions.map((position) => byPosition.get(position) ?? -1);
      const expected = Array.from({ length: 5 }, (_, n) => places[0] + n);
      ensureEqual(places, expected, 'places of a batch');
      const values = valuesOf(stored.slice(places[0], places[0] + 5));
      ensureEqual(values, valuesOf(numberedEvents(5, writers[writer])), 'values of a batch');
    });
  },

  async 'keeps calls of one caller in order without waiting between them'({ log }) {
    const calls = Array.from({ length: 30 }, (_, n) => log.append('t', numberedEvents(1, `c${n}-`)));
    await Promise.all(calls);
    const expected = Array.from({ length: 30 }, (_, n) => `c${n}-0`);
    ensureEqual(valuesOf(await readAll(log, 't')), expected, 'values');
  },
});
