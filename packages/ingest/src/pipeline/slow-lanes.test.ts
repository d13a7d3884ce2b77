import { createEvent, createMemoryEventLog, HEADER, type StoredEvent } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPE, INGEST_HEADER } from './contract.ts';
import { fromAside, SlowLanes } from './slow-lanes.ts';

const log = createMemoryEventLog();

async function uploaded(sender: string, name: string): Promise<StoredEvent> {
  const headers = { [INGEST_HEADER.sender]: sender, [HEADER.contentType]: 'a/b' };
  const [position] = await log.append('native', [
    createEvent({ id: name, type: EVENT_TYPE.uploaded, headers, value: name }),
  ]);
  return (await log.eventAt?.('native', position)) as StoredEvent;
}

async function setAside(lanes: SlowLanes, sender: string, name: string): Promise<string> {
  const { topic, event } = lanes.setAside(await uploaded(sender, name), `urn:${name}`);
  lanes.appended(topic, [event], await log.append(topic, [event]));
  return topic;
}

describe('the lanes of a topic', () => {
  it('give each sender one lane, and a document that waits its own', async () => {
    const lanes = new SlowLanes({ log, topic: 'native' });
    const [first, second] = lanes.topics;
    expect(await setAside(lanes, 'ann', 'a1')).toBe(first);
    expect(await setAside(lanes, 'ann', 'a2')).toBe(first);
    expect(await setAside(lanes, 'bob', 'b1')).toBe(second);
    expect(await setAside(lanes, 'bob', 'a1')).toBe(first);
  });

  it('share one among the fifth sender and those after, where each has room whatever others have', async () => {
    const lanes = new SlowLanes({ log, topic: 'native' });
    const [, , , fourth, shared, rest] = lanes.topics;
    for (const sender of ['ann', 'bob', 'cid', 'dan', 'eve'])
      for (let n = 0; n < 20; n++) await setAside(lanes, sender, `${sender}${n}`);
    const placesOf = async (sender: string): Promise<string[]> => {
      const places: string[] = [];
      for (let n = 0; n < 4; n++) places.push(await setAside(lanes, sender, `more-${sender}${n}`));
      return places;
    };
    expect(await placesOf('dan')).toEqual([fourth, fourth, fourth, fourth]);
    expect(await placesOf('eve')).toEqual([rest, rest, rest, rest]);
    expect(await placesOf('fay')).toEqual([shared, shared, rest, rest]);
    for (const topic of [fourth, shared] as string[]) lanes.done(topic, await log.end(topic));
    expect(await placesOf('gil')).toEqual([fourth, fourth, fourth, fourth]);
    expect(await setAside(lanes, 'fay', 'later')).toBe(shared);
  });

  it('are not held by whose events follow another sender to its document', async () => {
    const lanes = new SlowLanes({ log, topic: 'followed' });
    const [first, second] = lanes.topics;
    for (let n = 0; n < 3; n++) await setAside(lanes, 'ann', `x${n}`);
    expect(await setAside(lanes, 'bob', 'x1')).toBe(first);
    expect(await setAside(lanes, 'bob', 'y')).toBe(second);
    expect(await setAside(lanes, 'ann', 'x4')).toBe(first);
  });

  it('let no more documents wait than they may: the next have no turn, but all their time', async () => {
    const lanes = new SlowLanes({ log, topic: 'native', maxWaiting: 2 });
    const event = await uploaded('cid', 'c');
    const topic = await setAside(lanes, 'ann', 'a1');
    expect(lanes.turnMs(event)).toBe(2000);
    await setAside(lanes, 'ann', 'a2');
    expect(lanes.turnMs(event)).toBeUndefined();
    lanes.done(topic, await log.end(topic));
    expect(lanes.turnMs(event)).toBe(2000);
  });

  it('forget what was set aside and never appended when the next batch begins', async () => {
    const lanes = new SlowLanes({ log, topic: 'native' });
    const event = await uploaded('ann', 'a1');
    lanes.setAside(event, 'urn:a1');
    expect(lanes.turnMs(event)).toBe(1000);
    lanes.begin();
    expect(lanes.turnMs(event)).toBe(2000);
  });

  it('know nothing of a document that a lane has done before it was told of', async () => {
    const lanes = new SlowLanes({ log, topic: 'native' });
    const { topic, event } = lanes.setAside(await uploaded('ann', 'a1'), 'urn:a1');
    const positions = await log.append(topic, [event]);
    lanes.done(topic, positions[0]);
    lanes.appended(topic, [event], positions);
    expect(lanes.turnMs(await uploaded('ann', 'a2'))).toBe(2000);
  });

  it('give back the event as it was, and know from the log what waits', async () => {
    const lanes = new SlowLanes({ log, topic: 'other' });
    const given = await uploaded('ann', 'a1');
    const { topic, event } = lanes.setAside(given, 'urn:a1');
    const [position] = await log.append(topic, [event]);
    const back = fromAside((await log.eventAt?.(topic, position)) as StoredEvent);
    expect(back).toMatchObject({ topic: 'native', position: given.position, timestampMs: given.timestampMs });
    expect(back.headers.toArray()).toEqual([...given.headers.toArray(), [HEADER.documentId, 'urn:a1']]);
    const opened = new SlowLanes({ log, topic: 'other' });
    await opened.restore(topic, undefined);
    expect(opened.turnMs(given)).toBe(1000);
  });
});
