import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventIdSet } from './id-set.ts';

describe('createEventIdSet', () => {
  it('equals a Set over random ids, also when saved and restored in between', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.nat(300).map(String)), { maxLength: 400 }), (ids) => {
        let set = createEventIdSet();
        const model = new Set<string>();
        ids.forEach((id, index) => {
          expect(set.has(id)).toBe(model.has(id));
          expect(set.add(id)).toBe(!model.has(id));
          model.add(id);
          if (index % 50 === 49) set = createEventIdSet(set.serialise());
        });
        expect(set.size).toBe(model.size);
        for (const id of model) expect(set.has(id)).toBe(true);
      }),
    );
  });

  it('takes about twelve bytes for an id when saved', () => {
    const set = createEventIdSet();
    for (let n = 0; n < 20_000; n++) set.add(`event-${n}`);
    expect(set.serialise().length).toBe(12 + 12 * 20_000);
    const restored = createEventIdSet(set.serialise());
    expect([restored.size, restored.has('event-19999'), restored.has('event-20000')]).toEqual([20_000, true, false]);
  });

  it('refuses bytes that are no such set', () => {
    const set = createEventIdSet();
    set.add('a');
    set.add('b');
    const saved = set.serialise();
    const corrupt = expect.objectContaining({ code: 'ERR_ID_SET_CORRUPT', kind: 'corrupt' });
    const twice = saved.slice();
    twice.copyWithin(12, 24);
    for (const bytes of [new Uint8Array(0), saved.slice(1), saved.slice(0, -1), new Uint8Array(40), twice]) {
      expect(() => createEventIdSet(bytes)).toThrow(corrupt);
    }
    const newer = saved.slice();
    newer[4] = 9;
    expect(() => createEventIdSet(newer)).toThrow(expect.objectContaining({ code: 'ERR_ID_SET_VERSION' }));
  });
});
