import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../functions/builtins.ts';
import { integerLiteral } from '../functions/numeric.ts';
import {
  anyCuts,
  anyRows,
  BORDER_SIZES,
  numberedRows,
  type Row,
  rowsOf,
  stepsOf,
  tableOfRows,
} from '../testing/rows.ts';
import { executionOver } from '../testing/small-store.ts';
import { ConstantEvaluator, type Evaluator } from './evaluator.ts';
import { ExistsEvaluator, filter, type PreparedEvaluator } from './exists.ts';
import { hashJoin } from './joins.ts';
import { BoundEvaluator, call, JunctionEvaluator, NotEvaluator, unknownFunction } from './logic.ts';

const execution = await executionOver([]);
const plainly = (evaluator: Evaluator): PreparedEvaluator => ({ evaluator, exists: [] });

/** EXISTS of a row with the same id in slot 0; slot 5 carries the number of the outer row. */
function existsIn(right: readonly Row[], negated = false): ExistsEvaluator {
  const partners = hashJoin(tableOfRows(right), { keys: [0], loose: [], right: [], kept: [5] });
  return new ExistsEvaluator(partners, 5, negated);
}

describe('filter', () => {
  it('keeps the rows for which every condition is true, whatever the batches', () => {
    fc.assert(
      fc.property(anyRows(3), anyCuts, (rows, cuts) => {
        const plan = filter([plainly(new BoundEvaluator(0)), plainly(new NotEvaluator(new BoundEvaluator(2)))]);
        expect(rowsOf(plan(execution, stepsOf(rows, cuts)), 3)).toEqual(rows.filter(([a, , c]) => a !== 0 && c === 0));
      }),
    );
  });

  it('drops a row whose condition is an error', () => {
    expect(rowsOf(filter([plainly(unknownFunction())])(execution, stepsOf([[1]])), 1)).toEqual([]);
    expect(rowsOf(filter([plainly(new NotEvaluator(unknownFunction()))])(execution, stepsOf([[1]])), 1)).toEqual([]);
  });

  it.each(BORDER_SIZES)('takes %i rows and keeps them where there is no condition', (size) => {
    expect(rowsOf(filter([])(execution, stepsOf(numberedRows(size), [size])), 1)).toEqual(numberedRows(size));
  });

  it('lets others have their turn between rows that take much work', () => {
    const slow = FUNCTIONS.get('abs');
    if (slow === undefined) throw new Error('ABS is there');
    const costly = call({ ...slow, cost: () => 50_000 }, [new ConstantEvaluator(integerLiteral(1))]);
    const steps = [...filter([plainly(costly)])(execution, stepsOf(numberedRows(40)))];
    expect(steps.filter((batch) => batch === undefined).length).toBeGreaterThan(5);
    expect(steps.reduce((size, batch) => size + (batch?.size ?? 0), 0)).toBe(40);
  });

  it('refuses a row that takes too much work', () => {
    const endless = call({ minArgs: 0, maxArgs: 0, cost: () => 9_000_000, call: () => integerLiteral(1) }, []);
    expect(() => rowsOf(filter([plainly(endless)])(execution, stepsOf([[1]])), 1)).toThrow(
      expect.objectContaining({ code: 'ERR_QUERY_WORK' }),
    );
  });
});

describe('EXISTS', () => {
  it.each([false, true])('keeps the rows for which its plan finds something (or nothing: %s)', (negated) => {
    const anyKeyed = anyRows(2, { bound: [0] });
    fc.assert(
      fc.property(anyKeyed, anyKeyed, anyCuts, (rows, right, cuts) => {
        const test = existsIn(right, negated);
        const kept = rows.filter(([key]) => right.some(([other]) => other === key) !== negated);
        const plan = filter([{ evaluator: test, exists: [test] }]);
        expect(rowsOf(plan(execution, stepsOf(rows, cuts)), 2)).toEqual(kept);
      }),
    );
  });

  it('decides inside of an expression, and beside another EXISTS', () => {
    const [one, two] = [existsIn([[1]]), existsIn([[2]], true)];
    const either = { evaluator: new JunctionEvaluator('and', new NotEvaluator(one), two), exists: [one, two] };
    expect(rowsOf(filter([either])(execution, stepsOf([[1], [2], [3]])), 1)).toEqual([[3]]);
  });

  it('serves two evaluations at a time', async () => {
    const test = existsIn([[1]]);
    const plan = filter([{ evaluator: test, exists: [test] }]);
    const other = await executionOver([]);
    const first = plan(execution, stepsOf([[1], [2]], [1]));
    const second = plan(other, stepsOf([[2], [1]], [1]));
    const found: number[][] = [[], []];
    for (let left = 2; left > 0; ) {
      left = 0;
      for (const [at, steps] of [first, second].entries()) {
        const step = steps.next();
        if (step.done !== true) left++;
        if (step.value) found[at].push(...(step.value.columns[0] ?? []));
      }
    }
    expect(found).toEqual([[1], [1]]);
  });
});
