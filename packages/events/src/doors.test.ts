import { type AnyArgument, type Door, doorFaults, rereadingFaults } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import {
  abortable,
  attachValue,
  contentHash,
  createEvent,
  createEventIdSet,
  createHeaders,
  createMemoryBlobStore,
  createMemoryEventLog,
  derivedEventId,
  type Event,
  eventId,
  loadValue,
  offloadValue,
  streamValue,
  valueBlob,
} from './index.ts';

const headers = createHeaders([['Name', 'x']]);
const small = new Uint8Array(1);
const read = (options: AnyArgument) => createMemoryEventLog().read('topic', options);
const event = createEvent({ id: 'e', type: 't', value: 'x' });
const elsewhere = createEvent({ id: 'e', type: 't', headers: { 'Value-Blob': 'values/x 5' }, value: '' });
async function* chunks(): AsyncGenerator<Uint8Array> {
  yield small;
}
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
  ['BlobStore.get, range', (wrong) => createMemoryBlobStore().get('name', wrong), ['undefined', 'object']],
  ['BlobStore.put, options', (wrong) => createMemoryBlobStore().put('a', small, wrong), ['undefined', 'object']],
  ['BlobStore.put, signal', (signal) => createMemoryBlobStore().put('a', small, { signal }), ['undefined']],
  ['BlobStore.putContent, prefix', (wrong) => createMemoryBlobStore().putContent(wrong, small), ['text']],
  ['BlobStore.list', (wrong) => createMemoryBlobStore().list(wrong), ['text', 'undefined']],
  ['createMemoryEventLog', (wrong) => createMemoryEventLog(wrong), ['undefined', 'object']],
  ['createMemoryEventLog, nowMs', (nowMs) => createMemoryEventLog({ nowMs }), ['undefined', 'function']],
  [
    'createMemoryEventLog, maxEventBytes',
    (maxEventBytes) => createMemoryEventLog({ maxEventBytes }),
    ['undefined', 'number'],
  ],
  ['EventLog.read', (wrong) => read(wrong), ['undefined', 'object']],
  ['EventLog.read, after', (after) => read({ after }), ['undefined']],
  ['EventLog.read, signal', (signal) => read({ signal }), ['undefined']],
  ['EventLog.read, maxBatchEvents', (maxBatchEvents) => read({ maxBatchEvents }), ['undefined', 'number']],
  ['EventLog.eventAt', (wrong) => createMemoryEventLog().eventAt?.('topic', wrong), []],
  ['EventLog.lag', (wrong) => createMemoryEventLog().lag('topic', wrong), ['undefined']],
  ['EventLog.commit, position', (wrong) => createMemoryEventLog().commit('group', 'topic', wrong), []],
  [
    'EventLog.commit, a position in a list',
    (wrong) => createMemoryEventLog().commit('g', 't', [wrong] as AnyArgument),
    [],
  ],
  ['eventId', (wrong) => eventId(wrong), []],
  ['valueBlob', (wrong) => valueBlob(wrong), []],
  ['loadValue', (wrong) => loadValue(wrong, createMemoryBlobStore()), []],
  ['loadValue, blobs', (wrong) => loadValue(elsewhere, wrong), []],
  ['streamValue', (wrong) => streamValue(wrong, createMemoryBlobStore()), []],
  ['streamValue, blobs', (wrong) => streamValue(elsewhere, wrong), []],
  ['attachValue', (wrong) => attachValue(wrong, chunks(), createMemoryBlobStore()), []],
  ['attachValue, source', (wrong) => attachValue(event, wrong, createMemoryBlobStore()), []],
  ['attachValue, blobs', (wrong) => attachValue(event, chunks(), wrong), []],
  ['offloadValue, blobs', (wrong) => offloadValue(event, wrong), []],
  ['offloadValue, options', (wrong) => offloadValue(event, createMemoryBlobStore(), wrong), ['undefined', 'object']],
  [
    'offloadValue, maxInlineBytes',
    (maxInlineBytes) => offloadValue(event, createMemoryBlobStore(), { maxInlineBytes }),
    ['undefined', 'number'],
  ],
  ['createEventIdSet', (wrong) => createEventIdSet(wrong), ['undefined']],
  ['EventIdSet.add', (wrong) => createEventIdSet().add(wrong), ['text']],
  ['EventIdSet.has', (wrong) => createEventIdSet().has(wrong), ['text']],
  ['Headers.get', (wrong) => headers.get(wrong), ['text']],
  ['Headers.getAll', (wrong) => headers.getAll(wrong), ['text']],
  ['Headers.has', (wrong) => headers.has(wrong), ['text']],
  ['Headers.with', (wrong) => headers.with(wrong, 'x'), ['text']],
  ['Headers.with, a value', (wrong) => headers.with('b', wrong), ['text']],
  ['Headers.append', (wrong) => headers.append(wrong, 'x'), ['text']],
  ['Headers.append, value', (wrong) => headers.append('b', wrong), ['text']],
  ['derivedEventId, stage', (wrong) => derivedEventId({ topic: 't', position: 'p' }, wrong, 0), ['text']],
  ['derivedEventId, ordinal', (wrong) => derivedEventId({ topic: 't', position: 'p' }, 's', wrong), ['number']],
  ['BlobStore.replaceManifest', (wrong) => createMemoryBlobStore().replaceManifest('name', wrong), []],
  ['offloadValue', (value) => offloadValue({ ...event, value } as Event, createMemoryBlobStore()), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('gives no stream that is empty in silence when it is read again', async () => {
    const blobs = createMemoryBlobStore();
    const stored = await attachValue(event, chunks(), blobs, { maxInlineBytes: 0 });
    expect(await rereadingFaults(() => streamValue(event, blobs))).toEqual([]);
    expect(await rereadingFaults(() => streamValue(stored, blobs))).toEqual([]);
    expect(await rereadingFaults(() => abortable(chunks(), undefined))).toEqual([]);
    expect(await rereadingFaults(() => abortable(chunks(), new AbortController().signal))).toEqual([]);
  });

  it('makes no event with a key that has half of a surrogate pair', () => {
    const refused = expect.objectContaining({ code: 'ERR_EVENT_INVALID', kind: 'invalid' });
    expect(() => createEvent({ id: 'e', type: 't', value: '', key: 'a\ud800' })).toThrow(refused);
    expect(createEvent({ id: 'e', type: 't', value: '', key: '\u{1F600}' }).key).toBe('\u{1F600}');
  });

  it('keeps nothing of a batch of which one event is none', async () => {
    const log = createMemoryEventLog();
    await expect(log.append('topic', [event, undefined as AnyArgument])).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    expect(await log.end('topic')).toBeUndefined();
  });
});
