import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyCuts,
  anyRows,
  BORDER_SIZES,
  joined,
  numberedRows,
  type Row,
  rowsOf,
  sorted,
  stepsOf,
  tableOfRows,
} from '../testing/rows.ts';
import { executionOver } from '../testing/small-store.ts';
import type { Plan } from './batch.ts';
import { antiJoin, hashJoin, leftJoin, minus } from './joins.ts';

const execution = await executionOver([]);

/** Slot 0 is bound on both sides, 1 on some rows of both, 2 comes from the right, 3 from the left and is dropped. */
const SLOTS = { keys: [0], loose: [1], right: [1, 2], kept: [0, 1] };
const anyLeft = anyRows(4, { bound: [0] }).map((rows) => rows.map(([a, b, , d]) => [a, b, 0, d]));
const anyRight = anyRows(3, { bound: [0] });

/** Joins by nested loops, in the order of the left side and then of the right one. */
function nested(left: readonly Row[], right: readonly Row[]): Row[] {
  return left
    .flatMap(([a, b]) => right.flatMap((row) => [joined([a, b, 0], row) ?? []]))
    .filter(({ length }) => length > 0);
}

describe('hashJoin', () => {
  it('gives what nested loops give, whatever the batches of either side', () => {
    fc.assert(
      fc.property(anyLeft, anyRight, anyCuts, anyCuts, (left, right, cuts, rightCuts) => {
        const plan = hashJoin(tableOfRows(right, rightCuts), SLOTS);
        expect(rowsOf(plan(execution, stepsOf(left, cuts)), 3)).toEqual(nested(left, right));
      }),
    );
  });

  it('gives every pair where the sides share no variable', () => {
    const plan = hashJoin(
      tableOfRows([
        [0, 1],
        [0, 2],
      ]),
      { keys: [], loose: [], right: [1], kept: [0] },
    );
    expect(rowsOf(plan(execution, stepsOf([[5], [6]])), 2)).toEqual([
      [5, 1],
      [5, 2],
      [6, 1],
      [6, 2],
    ]);
  });

  it.each(BORDER_SIZES)('takes %i rows on either side', (size) => {
    const right = numberedRows(size).map(([number]) => [number, 9]);
    const plan = hashJoin(tableOfRows(right, [size]), { keys: [0], loose: [], right: [1], kept: [0] });
    expect(rowsOf(plan(execution, stepsOf(numberedRows(size), [size])), 2)).toEqual(right);
  });

  it('computes its right side once per evaluation, and anew in another', async () => {
    let runs = 0;
    const right: Plan = () => {
      runs++;
      return stepsOf([[1, 2, 3]]);
    };
    const plan = hashJoin(right, SLOTS);
    for (const one of [execution, execution, await executionOver([])]) {
      expect(rowsOf(plan(one, stepsOf([[1]])), 3)).toEqual([[1, 2, 3]]);
    }
    expect(runs).toBe(2);
  });

  it('refuses a right side that is larger than its memory', async () => {
    const small = await executionOver([], { maxMemoryBytes: 10_000 });
    const plan = hashJoin(tableOfRows(numberedRows(5000)), SLOTS);
    expect(() => rowsOf(plan(small, stepsOf([[1]])), 1)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }));
  });

  it('pauses while it gives very many rows', () => {
    const rows = numberedRows(300);
    const plan = hashJoin(tableOfRows(rows), { keys: [], loose: [], right: [], kept: [] });
    const steps = [...plan(execution, stepsOf(rows))];
    expect(steps.filter((batch) => batch === undefined).length).toBeGreaterThan(8);
    expect(steps.reduce((size, batch) => size + (batch?.size ?? 0), 0)).toBe(300 * 300);
  });
});

describe('leftJoin', () => {
  it('gives the joined rows, and each row without a partner as it is', () => {
    fc.assert(
      fc.property(anyLeft, anyRight, anyCuts, (left, right, cuts) => {
        const partners = hashJoin(tableOfRows(right), { ...SLOTS, kept: [0, 1, 4] });
        const expected = left.flatMap((row) => {
          const found = nested([row], right);
          return found.length > 0 ? found : [[row[0], row[1], 0]];
        });
        const rows = rowsOf(leftJoin(partners, 4, [0, 1])(execution, stepsOf(left, cuts)), 3);
        expect(sorted(rows)).toEqual(sorted(expected));
      }),
    );
  });

  it.each(BORDER_SIZES)('takes %i rows of which one has a partner', (size) => {
    const partners = hashJoin(tableOfRows([[1, 7]]), { keys: [0], loose: [], right: [1], kept: [0, 4] });
    const rows = rowsOf(leftJoin(partners, 4, [0])(execution, stepsOf(numberedRows(size), [size])), 2);
    expect(sorted(rows)).toEqual(numberedRows(size).map(([number]) => [number, number === 1 ? 7 : 0]));
  });
});

describe('antiJoin', () => {
  it('drops the rows for which its plan finds something', () => {
    fc.assert(
      fc.property(anyLeft, anyRight, anyCuts, (left, right, cuts) => {
        const partners = hashJoin(tableOfRows(right), { keys: [0], loose: [], right: [], kept: [4] });
        const expected = left.filter(([key]) => right.every(([other]) => other !== key));
        expect(rowsOf(antiJoin(partners, 4, [0])(execution, stepsOf(left, cuts)), 4)).toEqual(expected);
      }),
    );
  });

  it('shows its plan the shared variables alone', () => {
    const widths: number[] = [];
    const spy: Plan = function* (_execution, input) {
      for (const batch of input) widths.push(...(batch?.columns.flatMap((column, slot) => (column ? slot : [])) ?? []));
    };
    expect(rowsOf(antiJoin(spy, 4, [1])(execution, stepsOf([[1, 2, 3]])), 3)).toEqual([[1, 2, 3]]);
    expect(widths).toEqual([1, 4]);
  });
});

describe('minus', () => {
  it('drops the rows that agree with a row of the right side and share a bound variable with it', () => {
    const anyRow = anyRows(3);
    fc.assert(
      fc.property(anyRow, anyRow, anyCuts, (left, right, cuts) => {
        const expected = left.filter((row) =>
          right.every((other) => {
            const shares = row.some((id, slot) => slot < 2 && id !== 0 && other[slot] !== 0);
            return !shares || joined(row.slice(0, 2), other.slice(0, 2)) === undefined;
          }),
        );
        const plan = minus(tableOfRows(right), [], [0, 1]);
        expect(rowsOf(plan(execution, stepsOf(left, cuts)), 3)).toEqual(expected);
      }),
    );
  });

  it('looks at certain variables by hash and at the others one by one', () => {
    fc.assert(
      fc.property(anyLeft, anyRight, anyCuts, (left, right, cuts) => {
        const expected = left.filter(
          ([a, b]) => !right.some((other) => joined([a, b], [other[0], other[1]]) !== undefined),
        );
        expect(rowsOf(minus(tableOfRows(right), [0], [1])(execution, stepsOf(left, cuts)), 4)).toEqual(expected);
      }),
    );
  });

  it.each(BORDER_SIZES)('takes %i rows on either side', (size) => {
    const rows = [...numberedRows(size), [size + 1]];
    const plan = minus(tableOfRows(numberedRows(size), [size]), [0], []);
    expect(rowsOf(plan(execution, stepsOf(rows, [size])), 1)).toEqual([[size + 1]]);
  });
});
