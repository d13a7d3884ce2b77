import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LazyOrder } from './lazy-order.ts';

const pages = fc.array(fc.tuple(fc.nat(400), fc.nat(60)), { maxLength: 6 });

describe('a lazily sorted list', () => {
  it('gives the pages of the sorted list, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000_000), { maxLength: 400 }), pages, (ids, asked) => {
        const list = new LazyOrder(Uint32Array.from(ids), (a, b) => b - a);
        const sorted = [...ids].sort((a, b) => b - a);
        for (const [start, length] of asked) {
          expect([...list.page(start, start + length)]).toEqual(sorted.slice(start, start + length));
        }
        expect([...list.unordered].sort((a, b) => b - a)).toEqual(sorted);
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 20_000 : 300 },
    );
  });

  it('compares each id about as often as a selection does, not as a sort', () => {
    const size = 100_000;
    let compared = 0;
    const ids = Uint32Array.from({ length: size }, (_, i) => (i * 7919) % 1_000_003);
    const list = new LazyOrder(ids, (a, b) => {
      compared++;
      return a - b;
    });
    list.page(0, 50);
    expect(compared).toBeLessThan(6 * size);
    const first = compared;
    list.page(50, 100);
    expect(compared - first).toBeLessThan(10_000);
  });

  it('stays quick on lists that are sorted already', () => {
    let compared = 0;
    const list = new LazyOrder(
      Uint32Array.from({ length: 50_000 }, (_, i) => i),
      (a, b) => {
        compared++;
        return a - b;
      },
    );
    expect([...list.page(49_990, 50_000)]).toEqual(Array.from({ length: 10 }, (_, i) => 49_990 + i));
    expect(compared).toBeLessThan(500_000);
  });
});
