import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Directory, DirectoryBuilder, findKey } from './directory.ts';
import { Permutation } from './permutation.ts';
import { Range } from './range.ts';
import { Run } from './run.ts';

function stretchOf(directory: Directory, key: number): [number, number] | undefined {
  const { first, offsets, starts } = directory;
  if (offsets !== undefined) {
    const at = key - first;
    if (at < 0 || at >= offsets.length - 1 || offsets[at] === offsets[at + 1]) return undefined;
    return [offsets[at], offsets[at + 1]];
  }
  const at = findKey(directory, key);
  return at < 0 ? undefined : [starts[at], starts[at + 1]];
}

/** An array that counts how many of its items are read. */
function counted(items: Uint32Array): { items: Uint32Array; reads: () => number } {
  let reads = 0;
  const proxy = new Proxy(items, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name, target);
    },
  });
  return { items: proxy, reads: () => reads };
}

describe('a directory', () => {
  it('built some rows at a time says where each value starts and ends, dense or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 1, 2, 40)), {
          minLength: 1,
          maxLength: 300,
        }),
        fc.nat(4),
        fc.integer({ min: 1, max: 200 }),
        (runs, before, rows) => {
          const values: number[] = Array(before).fill(0);
          const expected = new Map<number, [number, number]>();
          let value = 0;
          for (const [length, gap] of runs) {
            value += gap;
            expected.set(value, [values.length, values.length + length]);
            values.push(...Array(length).fill(value));
          }
          const column = Uint32Array.from([...values, value]);
          const builder = new DirectoryBuilder(column, before, values.length);
          let built: Directory | undefined;
          while (built === undefined) built = builder.advance(rows);
          for (let key = 0; key <= value + 1; key++) expect(stretchOf(built, key)).toEqual(expected.get(key));
        },
      ),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 200 : 20_000 },
    );
  });

  it('of a large run grows while look-ups search, so that none of them reads more than a little of it', () => {
    const size = 600_000;
    const a = counted(Uint32Array.from({ length: size }, (_, i) => 10 + Math.floor(i / 3)));
    const rest = new Uint32Array(size);
    const columns = { a: a.items, b: Uint32Array.from(rest, (_, i) => i), c: rest, sets: rest };
    const run = new Run({
      size,
      graphs: Uint32Array.of(1),
      graphStarts: Uint32Array.of(0, size),
      permutations: [columns, columns, columns, columns],
      distinctSets: Uint32Array.of(0),
    });
    const range = new Range();
    let most = 0;
    let last = 0;
    for (let i = 0; i < 3000; i++) {
      const key = 10 + ((i * 7919) % 200_000);
      const before = a.reads();
      expect(run.seek(range, Permutation.spo, 0, key, 0, 0)).toBe(3);
      expect([range.start, range.end]).toEqual([(key - 10) * 3, (key - 10) * 3 + 3]);
      last = a.reads() - before;
      most = Math.max(most, last);
    }
    expect(most).toBeLessThan(1200);
    expect(last).toBe(0);
    for (const key of [9, 200_010]) expect(run.seek(range, Permutation.spo, 0, key, 0, 0)).toBe(0);
  });
});
