import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRows, batchOf } from '../testing/rows.ts';
import { KeyIndex } from './groups.ts';
import { LOCAL_BASE } from './local-terms.ts';
import { MemoryBudget } from './memory-budget.ts';
import { RowSet } from './row-set.ts';
import { HashIndex } from './table.ts';

describe('RowSet', () => {
  it('numbers distinct rows in the order they come, and tells their ids', () => {
    fc.assert(
      fc.property(anyRows(3, { maxLength: 60 }), (rows) => {
        const set = new RowSet(3, new MemoryBudget());
        const { columns } = batchOf(rows);
        const numbers = new Map<string, number>();
        rows.forEach((row, at) => {
          const key = row.join();
          const number = numbers.get(key) ?? numbers.size;
          numbers.set(key, number);
          expect(set.add(columns, [0, 1, 2], at)).toBe(number);
          expect([0, 1, 2].map((index) => set.value(number, index))).toEqual(row);
        });
        expect(set.size).toBe(numbers.size);
      }),
    );
  });

  it('keeps its numbers while it grows', () => {
    const set = new RowSet(2, new MemoryBudget());
    const columns = [
      Uint32Array.from({ length: 5000 }, (_, i) => i),
      Uint32Array.from({ length: 5000 }, (_, i) => i % 7),
    ];
    for (let round = 0; round < 2; round++) {
      for (let row = 0; row < 5000; row++) expect(set.add(columns, [0, 1], row)).toBe(row);
    }
  });

  it('counts what it takes', () => {
    const memory = new MemoryBudget(50_000);
    const set = new RowSet(1, memory);
    const column = Uint32Array.from({ length: 20_000 }, (_, i) => i);
    const fill = () => {
      for (let row = 0; row < column.length; row++) set.add([column], [0], row);
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY', kind: 'exhausted' }));
  });
});

describe('KeyIndex', () => {
  it('numbers ids of the store and of an evaluation in the order they come', () => {
    const index = new KeyIndex(10, new MemoryBudget());
    const ids = [3, 0, LOCAL_BASE, 9, 3, 10, LOCAL_BASE, 0];
    expect(ids.map((id) => index.number(id))).toEqual([0, 1, 2, 3, 0, 4, 2, 1]);
    expect(index.keys).toEqual([3, 0, LOCAL_BASE, 9, 10]);
  });

  it('numbers ids of many pages', () => {
    const index = new KeyIndex(100_000, new MemoryBudget());
    const ids = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 120_000);
    expect(ids.map((id) => index.number(id))).toEqual(ids.map((_, i) => i));
    expect(ids.map((id) => index.number(id))).toEqual(ids.map((_, i) => i));
    expect(index.keys).toEqual(ids);
  });

  it('counts what it takes', () => {
    const page = 4 * 1024;
    const index = new KeyIndex(5000, new MemoryBudget(page + 80));
    for (let id = 1; id <= 10; id++) index.number(id);
    expect(() => index.number(11)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }));
    const spread = new KeyIndex(5000, new MemoryBudget(2 * page));
    expect(spread.number(1)).toBe(0);
    expect(() => spread.number(4000)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }));
  });
});

describe('HashIndex', () => {
  it('finds every row with the same keys, in the order of the table', () => {
    fc.assert(
      fc.property(anyRows(2), anyRows(2), (rows, asked) => {
        const index = new HashIndex(batchOf(rows), [0, 1], new MemoryBudget());
        const { columns } = batchOf(asked);
        asked.forEach(([a, b], at) => {
          const found: number[] = [];
          for (let row = index.first(columns, at); row >= 0; row = index.next(row, columns, at)) found.push(row);
          expect(found).toEqual(rows.flatMap(([c, d], row) => (a === c && b === d ? [row] : [])));
        });
      }),
    );
  });
});

describe('MemoryBudget', () => {
  it('lets as much be held as it has, and takes back what is given back', () => {
    const memory = new MemoryBudget(100);
    memory.take(100);
    expect(() => memory.take(1)).toThrow('a query may hold 100 bytes in memory; 101 are needed');
    memory.release(51);
    memory.take(50);
  });
});
