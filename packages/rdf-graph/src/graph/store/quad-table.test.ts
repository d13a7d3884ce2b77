import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuadTable } from './quad-table.ts';

const COUNTS = [7, 8, 9, 17, 2047, 2048, 2049, 4097, 30_000, 70_000];

describe('the table of quads', () => {
  it.each(COUNTS)('finds each of %i quads while and after it grows, and none that is not there', (count) => {
    for (const capacity of [8, count, count - 1]) {
      const table = new QuadTable(capacity);
      for (let i = 0; i < count; i++) {
        expect(table.set(i, i % 7, i >> 3, 1, i)).toBe(true);
        const other = (i * 7919) % (i + 1);
        if (table.find(other, other % 7, other >> 3, 1) !== other) throw new Error(`row ${other} of ${i} is lost`);
      }
      expect(table.set(count - 1, (count - 1) % 7, (count - 1) >> 3, 1, 0)).toBe(false);
      expect(table.find(count, count % 7, count >> 3, 1)).toBe(-1);
      expect(table.size).toBe(count);
    }
  });

  it('holds the last label set of each quad, as a map does', () => {
    const id = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(id, id, id, id, id), { maxLength: 600 }), (quads) => {
        const table = new QuadTable();
        const model = new Map<string, number>();
        for (const [s, p, o, g, set] of quads) {
          table.set(s, p, o, g, set);
          model.set(`${s} ${p} ${o} ${g}`, set);
        }
        expect(table.size).toBe(model.size);
        for (const [key, set] of model) {
          const [s, p, o, g] = key.split(' ').map(Number) as [number, number, number, number];
          expect(table.sets[table.find(s, p, o, g)]).toBe(set);
        }
      }),
    );
  });
});
