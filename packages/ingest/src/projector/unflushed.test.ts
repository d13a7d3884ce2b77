import { createEvent, createMemoryEventLog, HEADER, type StoredEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { Unflushed } from './unflushed.ts';

async function store(value: string, headers: Readonly<Record<string, string>> = {}): Promise<StoredEvent> {
  const log = createMemoryEventLog();
  await log.append('t', [createEvent({ id: 'e', type: 'x', headers, value })]);
  for await (const [event] of log.read('t')) if (event !== undefined) return event;
  throw new Error('nothing was appended');
}

it('counts events, moves of the position, and the bytes of values wherever they are', async () => {
  const unflushed = new Unflushed();
  expect(unflushed.isEmpty).toBe(true);
  unflushed.add([await store('12345'), await store('', { [HEADER.valueBlob]: 'values/a 95' })]);
  expect([unflushed.exceeds({ bytes: 101 }), unflushed.exceeds({ bytes: 100 })]).toEqual([false, true]);
  expect([unflushed.exceeds({ events: 3 }), unflushed.exceeds({ events: 2 })]).toEqual([false, true]);
  unflushed.add([]);
  expect(unflushed.exceeds({ events: 3 })).toBe(true);
  unflushed.add([await store('123', { [HEADER.valueBlob]: 'no blob' })]);
  expect([unflushed.exceeds({ bytes: 104 }), unflushed.exceeds({ bytes: 103 })]).toEqual([false, true]);
  unflushed.clear();
  expect([unflushed.isEmpty, unflushed.exceeds({ events: 1, bytes: 1 })]).toEqual([true, false]);
});
