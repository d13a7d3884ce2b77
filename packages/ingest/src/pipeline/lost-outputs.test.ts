import { createEvent, createMemoryBlobStore, createMemoryEventLog, type EventLog, HEADER } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPE } from './contract.ts';
import { LostOutputs, noteGivenUpValues } from './lost-outputs.ts';

const DOCUMENT = 'urn:document';

function eventOf(id: string, type: string = EVENT_TYPE.text, document = DOCUMENT) {
  return createEvent({ id, type, value: new Uint8Array(0), headers: { [HEADER.documentId]: document } });
}

/** A log that says that a topic lost events. */
function withCut(log: EventLog, topic: string, resumesAt = '9'): EventLog {
  const cut = { topic, after: undefined, resumesAt, bytes: 1, keptIn: undefined, reason: '', atMs: 0, accepted: false };
  return Object.assign(Object.create(log) as EventLog, {
    cuts: async (asked: string) => (asked === topic ? [cut] : []),
    topics: () => log.topics(),
    read: (...args: Parameters<EventLog['read']>) => log.read(...args),
    end: (asked: string) => log.end(asked),
    comparePositions: (a: string, b: string) => log.comparePositions(a, b),
  });
}

async function filled(): Promise<EventLog> {
  const log = createMemoryEventLog({ nowMs: () => 0 });
  await log.append('in', [
    eventOf('a'),
    eventOf('b', EVENT_TYPE.text, 'urn:gone'),
    eventOf('c', EVENT_TYPE.delete, 'urn:gone'),
  ]);
  await log.append('out', [eventOf('out-a')]);
  return log;
}

describe('a stage whose output lost events', () => {
  const options = { topic: 'in', group: 'g', outputs: ['out'] };

  it('begins at the first event, and writes only what is missing and was not deleted since', async () => {
    const log = withCut(await filled(), 'out');
    const lost = new LostOutputs({ ...options, log, blobs: createMemoryBlobStore() });
    expect(await lost.start('1')).toBeUndefined();
    const events = [eventOf('out-a'), eventOf('out-x'), eventOf('out-b', EVENT_TYPE.text, 'urn:gone')];
    expect(lost.missing(events).map(({ headers }) => headers.get(HEADER.eventId))).toEqual(['out-x']);
  });

  it('does so until it has come to the end once, and again after another loss', async () => {
    const [log, blobs] = [await filled(), createMemoryBlobStore()];
    const first = new LostOutputs({ ...options, log: withCut(log, 'out'), blobs });
    await first.start('1');
    const end = (await log.end('in'))!;
    await first.reached(end);
    const ids = [eventOf('out-a')];
    expect(first.missing(ids)).toEqual(ids);
    expect(await new LostOutputs({ ...options, log: withCut(log, 'out'), blobs }).start(end)).toBe(end);
    expect(await new LostOutputs({ ...options, log: withCut(log, 'out', '99'), blobs }).start(end)).toBeUndefined();
  });

  it('does so when values of an output were given up, and takes what was erased as missing', async () => {
    const [log, blobs] = [await filled(), createMemoryBlobStore()];
    const erased = eventOf('out-x');
    await log.append('out', [{ ...erased, headers: erased.headers.with(HEADER.erased, 'true') }]);
    const end = (await log.end('in'))!;
    await noteGivenUpValues(blobs, 'elsewhere', '1');
    expect(await new LostOutputs({ ...options, log, blobs }).start(end)).toBe(end);
    for (const note of ['1', '2']) {
      await noteGivenUpValues(blobs, 'out', note);
      const lost = new LostOutputs({ ...options, log, blobs });
      expect(await lost.start(end)).toBeUndefined();
      expect(lost.missing([eventOf('out-a'), eventOf('out-x')]).length).toBe(1);
      await lost.reached(end);
      expect(await new LostOutputs({ ...options, log, blobs }).start(end)).toBe(end);
    }
  });

  it('begins where it was when nothing was lost, or something elsewhere', async () => {
    const log = await filled();
    for (const one of [log, withCut(log, 'elsewhere')]) {
      expect(await new LostOutputs({ ...options, log: one, blobs: createMemoryBlobStore() }).start('1')).toBe('1');
    }
  });
});
