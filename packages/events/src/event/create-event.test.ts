import { describe, expect, it } from 'vitest';
import { createEvent, eventId, eventType, schemaVersion } from './create-event.ts';
import { derivedEventId } from './derived-id.ts';
import { createHeaders } from './header-list.ts';

describe('createEvent', () => {
  it('sets the required headers and keeps the others', () => {
    const headers = { 'event-id': 'other', Owner: 'me' };
    const event = createEvent({ id: '1', type: 'test', schemaVersion: 3, key: 'k', headers, value: '\u00e9' });
    expect(event.headers.toArray()).toEqual([
      ['Event-Id', '1'],
      ['Event-Type', 'test'],
      ['Schema-Version', '3'],
      ['Owner', 'me'],
    ]);
    expect([eventId(event), eventType(event), schemaVersion(event)]).toEqual(['1', 'test', 3]);
    expect([event.key, [...event.value]]).toEqual(['k', [0xc3, 0xa9]]);
    expect('key' in createEvent({ id: '1', type: 't', value: '' })).toBe(false);
  });

  it('refuses what no reader could use', () => {
    const refused = expect.objectContaining({ code: 'ERR_EVENT_INVALID', kind: 'invalid' });
    expect(() => createEvent({ id: '', type: 't', value: '' })).toThrow(refused);
    expect(() => createEvent({ id: '1', type: '', value: '' })).toThrow(refused);
    for (const version of [0, -1, 1.5, Number.NaN]) {
      expect(() => createEvent({ id: '1', type: 't', schemaVersion: version, value: '' })).toThrow(refused);
    }
    const bare = { headers: createHeaders({ 'Schema-Version': 'x' }) };
    expect(() => eventId(bare)).toThrow(refused);
    expect(() => eventType(bare)).toThrow(refused);
    expect(() => schemaVersion(bare)).toThrow(refused);
  });
});

describe('derivedEventId', () => {
  it('is the same for the same source, stage and ordinal, and differs otherwise', () => {
    const source = { topic: 't', position: '1' };
    const ids = [
      derivedEventId(source, 'extract', 0),
      derivedEventId(source, 'extract', 1),
      derivedEventId(source, 'find', 0),
      derivedEventId({ topic: 't', position: '2' }, 'extract', 0),
      derivedEventId({ topic: 't1', position: '' }, 'extract', 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(derivedEventId({ ...source }, 'extract', 0)).toBe(ids[0]);
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});
