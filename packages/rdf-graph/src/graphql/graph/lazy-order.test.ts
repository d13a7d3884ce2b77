import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LazyOrder } from './lazy-order.ts';
import type { Pacer } from './pacer.ts';

const never: Pacer = { note: () => {}, step: () => {} };

const pages = fc.array(fc.tuple(fc.nat(3_000), fc.nat(300)), { maxLength: 6 });

describe('a lazily sorted list', () => {
  it('gives the pages of the sorted list, in whatever order and however many at a time they are asked for', async () => {
    const turns: Pacer = { note: () => {}, step: () => Promise.resolve() };
    const size = fc.oneof(fc.nat(1_000), fc.integer({ min: 1_025, max: 3_000 }));
    await fc.assert(
      fc.asyncProperty(size, fc.nat(1_000), pages, fc.boolean(), async (length, seed, asked, isAtOnce) => {
        const ids = Array.from({ length }, (_, i) => ((i + seed) * 7_919) % 1_000_003);
        const list = new LazyOrder(Uint32Array.from(ids), (a, b) => b - a);
        const sorted = [...ids].sort((a, b) => b - a);
        const check = async ([start, count]: readonly [number, number]): Promise<void> => {
          expect([...(await list.page(turns, start, start + count))]).toEqual(sorted.slice(start, start + count));
          expect([...list.unordered()].sort((a, b) => b - a)).toEqual(sorted);
        };
        if (isAtOnce) await Promise.all(asked.map(check));
        else for (const page of asked) await check(page);
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 20_000 : 200 },
    );
  }, 1_800_000);

  it('compares each id about as often as a selection does, not as a sort', async () => {
    const size = 100_000;
    let compared = 0;
    const ids = Uint32Array.from({ length: size }, (_, i) => (i * 7919) % 1_000_003);
    const list = new LazyOrder(ids, (a, b) => {
      compared++;
      return a - b;
    });
    await list.page(never, 0, 50);
    expect(compared).toBeLessThan(6 * size);
    const first = compared;
    await list.page(never, 50, 100);
    expect(compared - first).toBeLessThan(10_000);
  });

  it('stays quick on lists that are sorted already', async () => {
    let compared = 0;
    const list = new LazyOrder(
      Uint32Array.from({ length: 50_000 }, (_, i) => i),
      (a, b) => {
        compared++;
        return a - b;
      },
    );
    expect([...(await list.page(never, 49_990, 50_000))]).toEqual(Array.from({ length: 10 }, (_, i) => 49_990 + i));
    expect(compared).toBeLessThan(500_000);
  });
});
