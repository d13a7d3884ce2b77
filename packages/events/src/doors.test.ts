import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import {
  contentHash,
  createEvent,
  createHeaders,
  createMemoryBlobStore,
  createMemoryEventLog,
  derivedEventId,
  type Event,
  offloadValue,
} from './index.ts';

const event = createEvent({ id: 'e', type: 't', value: 'x' });
const append = (batch: AnyArgument, topic: AnyArgument = 'topic') => createMemoryEventLog().append(topic, batch);
const put = (source: AnyArgument, name: AnyArgument = 'name') => createMemoryBlobStore().put(name, source);

const DOORS: readonly Door[] = [
  ['createEvent', (wrong) => createEvent(wrong), []],
  ['createEvent, id', (id) => createEvent({ id, type: 't', value: '' }), ['text']],
  ['createEvent, type', (type) => createEvent({ id: 'e', type, value: '' }), ['text']],
  ['createEvent, key', (key) => createEvent({ id: 'e', type: 't', key, value: '' }), ['text', 'undefined']],
  ['createEvent, value', (value) => createEvent({ id: 'e', type: 't', value }), ['text']],
  [
    'createEvent, schemaVersion',
    (schemaVersion) => createEvent({ id: 'e', type: 't', value: '', schemaVersion }),
    ['number', 'undefined'],
  ],
  [
    'createEvent, headers',
    (headers) => createEvent({ id: 'e', type: 't', value: '', headers }),
    ['undefined', 'list', 'object'],
  ],
  ['createHeaders', (wrong) => createHeaders(wrong), ['undefined', 'list', 'object']],
  ['createHeaders, a pair', (wrong) => createHeaders([wrong]), []],
  ['createHeaders, a value', (wrong) => createHeaders([['Name', wrong]]), ['text']],
  ['createHeaders, a value by name', (wrong) => createHeaders({ Name: wrong }), ['text', 'list', 'undefined']],
  ['contentHash', (wrong) => contentHash(wrong), ['text']],
  ['derivedEventId', (wrong) => derivedEventId(wrong, 'stage', 0), []],
  ['EventLog.append, topic', (wrong) => append([event], wrong), ['text', 'undefined']],
  ['EventLog.append', (wrong) => append(wrong), ['list']],
  ['EventLog.append, an event', (wrong) => append([wrong]), []],
  ['EventLog.append, its value', (value) => append([{ ...event, value }]), []],
  ['EventLog.append, its headers', (headers) => append([{ ...event, headers }]), []],
  ['EventLog.append, its key', (key) => append([{ ...event, key }]), ['text', 'undefined']],
  ['BlobStore.put', (wrong) => put(wrong), []],
  ['BlobStore.put, name', (wrong) => put(new Uint8Array(1), wrong), ['text', 'undefined']],
  ['BlobStore.get', (wrong) => createMemoryBlobStore().get(wrong), ['text']],
  ['BlobStore.replaceManifest', (wrong) => createMemoryBlobStore().replaceManifest('name', wrong), []],
  ['offloadValue', (value) => offloadValue({ ...event, value } as Event, createMemoryBlobStore()), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('keeps nothing of a batch of which one event is none', async () => {
    const log = createMemoryEventLog();
    await expect(log.append('topic', [event, undefined as AnyArgument])).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    expect(await log.end('topic')).toBeUndefined();
  });
});
