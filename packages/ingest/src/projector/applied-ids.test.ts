import { createEvent, createMemoryEventLog, type StoredEvent } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { AppliedIds } from './applied-ids.ts';

const EVENTS = 300;

/** Time that goes on with each look at it, so that every few ids take as long as a slice. */
function createTickingClock() {
  let now = 0;
  return { nowMs: () => now++, sleep: async () => {} };
}

async function setting(): Promise<{ ids: AppliedIds; events: StoredEvent[] }> {
  const log = createMemoryEventLog();
  const batch = Array.from({ length: EVENTS }, (_, i) => createEvent({ id: `e${i % 200}`, type: 't', value: '' }));
  await log.append('topic', batch);
  const events: StoredEvent[] = [];
  for await (const read of log.read('topic')) events.push(...read);
  return {
    ids: new AppliedIds({ log, blobs: undefined, clock: createTickingClock(), topic: 'topic', group: 'g' }),
    events,
  };
}

/** How many turns of the event loop begin while something is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

describe('the ids of applied events', () => {
  it('tell each id once, and lets others run between them', async () => {
    const { ids, events } = await setting();
    let fresh: StoredEvent[] = [];
    expect(await turnsOf(async () => (fresh = await ids.fresh(events)))).toBeGreaterThan(EVENTS / 20);
    expect(fresh.map(({ headers }) => headers.get('Event-Id'))).toEqual(Array.from({ length: 200 }, (_, i) => `e${i}`));
    expect(await turnsOf(() => ids.add(fresh))).toBeGreaterThan(200 / 20);
    expect(await ids.fresh(events)).toEqual([]);
  });

  it('are read from the log up to a position, and let others run meanwhile', async () => {
    const { ids, events } = await setting();
    expect(await turnsOf(() => ids.restore(events[150].position))).toBeGreaterThan(150 / 20);
    expect((await ids.fresh(events)).length).toBe(200 - 151);
  });
});
