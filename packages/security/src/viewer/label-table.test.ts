import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.ts';
import { createLabelSetTable, createLabelTable } from './label-table.ts';

describe('a label table', () => {
  it('gives the same label the same id and keeps the exact text', () => {
    const table = createLabelTable();
    expect(['a', ' a', 'a', '__proto__', ''].map((label) => table.intern(label))).toEqual([0, 1, 0, 2, 3]);
    expect(table.size).toBe(4);
    expect(table.label(1)).toBe(' a');
    expect([table.get('__proto__'), table.get('constructor')]).toEqual([2, undefined]);
  });

  it('is restored from its own list', () => {
    const table = createLabelTable(['b', 'a']);
    expect(createLabelTable(table.toArray()).toArray()).toEqual(['b', 'a']);
    table.toArray().push('c');
    expect(table.size).toBe(2);
  });

  it('refuses an unknown id and a list with a repeated label', () => {
    const unknown = expect.objectContaining({ code: 'ERR_LABEL_ID', kind: 'invalid' });
    for (const id of [-1, 1, 0.5, Number.NaN]) expect(() => createLabelTable(['a']).label(id)).toThrow(unknown);
    const corrupt = expect.objectContaining({ code: 'ERR_LABEL_TABLE', kind: 'corrupt' });
    expect(() => createLabelTable(['a', 'a'])).toThrow(corrupt);
  });
});

describe('a label set table', () => {
  const labels = createLabelTable(Array.from({ length: 12 }, (_, i) => `l${i}`));

  it('gives the same set the same id, whatever the order and repetition', () => {
    const table = createLabelSetTable(labels);
    expect([[11, 2], [2, 11, 2], [], [2]].map((ids) => table.intern(ids))).toEqual([0, 0, 1, 2]);
    expect(table.labelIds(0)).toEqual([2, 11]);
    expect(() => (table.labelIds(0) as number[]).push(1)).toThrow(TypeError);
  });

  it('refuses unknown labels and sets and a list with a repeated set', () => {
    const table = createLabelSetTable(labels);
    const unknown = expect.objectContaining({ code: 'ERR_LABEL_ID', kind: 'invalid' });
    for (const ids of [[12], [-1], [1.5], [Number.NaN]]) expect(() => table.intern(ids)).toThrow(unknown);
    expect(() => table.labelIds(0)).toThrow(unknown);
    expect(() => table.with(3, 1)).toThrow(unknown);
    expect(() => createLabelSetTable(labels, [[1], [1, 1]])).toThrow(
      expect.objectContaining({ code: 'ERR_LABEL_TABLE', kind: 'corrupt' }),
    );
    expect(table.size).toBe(0);
  });

  it('adds and removes labels as a plain set does, and is restored from its own list', () => {
    const step = fc.tuple(fc.boolean(), fc.nat(11));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = createLabelSetTable(labels);
        const model = new Set<number>();
        let set = table.intern([]);
        for (const [adds, label] of steps) {
          if (adds) model.add(label);
          else model.delete(label);
          set = adds ? table.with(set, label) : table.without(set, label);
          expect(table.labelIds(set)).toEqual([...model].sort((a, b) => a - b));
        }
        const restored = createLabelSetTable(labels, table.toArray());
        expect(restored.toArray()).toEqual(table.toArray());
        expect(restored.intern([...model])).toBe(set);
      }),
      runs(300, 20_000),
    );
  });
});
