import { createEvent, createMemoryBlobStore, createMemoryEventLog, type StoredEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { ChangeReader, type CheckedEvent } from './change-reader.ts';

const judge = (): void => {};

function rdf(id: string, value: string | Uint8Array) {
  return createEvent({ id, type: 'rdf', headers: { 'Content-Type': 'application/n-triples' }, value });
}

async function stored(event: ReturnType<typeof rdf>): Promise<StoredEvent> {
  const log = createMemoryEventLog();
  await log.append('knowledge', [event]);
  for await (const events of log.read('knowledge')) return events[0];
  throw new Error('nothing was stored');
}

const reader = (pause = async () => {}): ChangeReader =>
  new ChangeReader({ blobs: createMemoryBlobStore(), defaultLabel: '*', pause });

it('gives what an event was checked as to all who apply it, until it is released', async () => {
  const changes = reader();
  const lines = Array.from({ length: 100_001 }, (_, i) => `<urn:s:${i}> <urn:p> _:b .`).join('\n');
  const event = rdf('e', lines);
  const checked = (await changes.check(event, { judge })) as CheckedEvent;
  expect(checked.unlabelled).toBe(100_001);
  const again = await stored(event);
  const first = await changes.read(again);
  expect(await changes.read(again)).toBe(first);
  checked.release();
  const later = await changes.read(again);
  expect(later).not.toBe(first);
  expect(later.additions.length).toBe(first.additions.length);
  expect(later.additions[7]).toEqual(first.additions[7]);
});

it('lets others run before each event that it reads, and not for one that it remembers', async () => {
  let pauses = 0;
  const changes = reader(async () => {
    pauses++;
  });
  const events = await Promise.all(
    Array.from({ length: 5 }, (_, i) => stored(rdf(`e${i}`, `<urn:s:${i}> <urn:p> "1" .`))),
  );
  for (const [i, event] of events.entries()) await changes.read({ ...event, position: `${i}` });
  expect(pauses).toBe(5);
  await changes.read({ ...events[0], position: '0' });
  expect(pauses).toBe(5);
});

it('keeps no more than some bytes of events, and room again after each is released or refused', async () => {
  const changes = reader();
  const large = (id: string, end: string) => {
    const value = new Uint8Array(20 * 1024 * 1024).fill(10);
    value.set(new TextEncoder().encode(end), value.length - end.length);
    return rdf(id, value);
  };
  const first = (await changes.check(large('a', '<urn:s> <urn:p> 5 .'), { judge }).catch(() => undefined)) ?? undefined;
  expect(first).toBeUndefined();
  const second = (await changes.check(large('b', '<urn:s> <urn:p> "5" .'), { judge })) as CheckedEvent;
  expect(await changes.check(large('c', ''), { judge })).toBeUndefined();
  second.release();
  second.release();
  expect(await changes.check(large('d', ''), { judge })).toMatchObject({ unlabelled: 0 });
});
