import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRows, BORDER_SIZES, batchOf, numberedRows, rowsOf } from '../testing/rows.ts';
import { BATCH_ROWS, type Batch, batchInput, bytesOf, keepSlots, sliceBatch, takeRows, withColumn } from './batch.ts';
import { Output, SMALL_ROWS } from './output.ts';

const rowsOfBatch = (batch: Batch, width: number) => rowsOf(batchInput(batch), width);

describe('a batch', () => {
  it('gives rows in any order, and stretches of itself', () => {
    fc.assert(
      fc.property(
        anyRows(3),
        fc.array(fc.nat()),
        fc.nat({ max: 12 }),
        fc.nat({ max: 12 }),
        (rows, picks, start, size) => {
          const taken = rows.length === 0 ? [] : picks.map((pick) => pick % rows.length);
          const picked = takeRows(batchOf(rows), Uint32Array.from(taken), taken.length);
          expect(rowsOfBatch(picked, 3)).toEqual(taken.map((row) => rows[row]));
          const [from, to] = [Math.min(start, rows.length), Math.min(start + size, rows.length)];
          expect(rowsOfBatch(sliceBatch(batchOf(rows), from, to), 3)).toEqual(rows.slice(from, to));
        },
      ),
    );
  });

  it('is handed on as it is where every row is taken', () => {
    const batch = batchOf(numberedRows(3));
    expect(takeRows(batch, Uint32Array.of(0, 1, 2), 3)).toBe(batch);
    expect(sliceBatch(batch, 0, 3)).toBe(batch);
  });

  it('sets and drops columns without a change to itself', () => {
    const batch = batchOf([[1, 2]]);
    expect(rowsOfBatch(withColumn(batch, 2, Uint32Array.of(3)), 3)).toEqual([[1, 2, 3]]);
    expect(rowsOfBatch(keepSlots(batch, [1, 7]), 3)).toEqual([[0, 2, 0]]);
    expect(rowsOfBatch(batch, 3)).toEqual([[1, 2, 0]]);
  });

  it('takes four bytes for each id and eight for each column', () => {
    expect(bytesOf({ size: 10, columns: [undefined, new Uint32Array(10), new Uint32Array(10)] })).toBe(104);
    expect(bytesOf({ size: 10, columns: [] })).toBe(0);
  });
});

describe('an output', () => {
  it.each([...BORDER_SIZES.slice(1), SMALL_ROWS, SMALL_ROWS + 1])('gives %i rows, beside the kept slots', (size) => {
    const input = batchOf([[7, 8, 9]]);
    const output = new Output([3], [0, 2, 5]);
    const batches: Batch[] = [];
    for (let value = 1; value <= size; value++) {
      if (!output.reserve()) batches.push(output.take(input));
      output.rows[output.size] = 0;
      output.values[0][output.size++] = value;
    }
    batches.push(output.finish(input));
    expect(batches.every((batch) => batch.size <= BATCH_ROWS)).toBe(true);
    const rows = batches.flatMap((batch) => rowsOfBatch(batch, 4));
    expect(rows).toEqual(numberedRows(size).map(([value]) => [7, 0, 9, value]));
  });
});
