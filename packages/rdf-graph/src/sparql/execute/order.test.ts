import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerLiteral } from '../functions/numeric.ts';
import { anyCuts, BORDER_SIZES, type Row, rowsOf, stepsOf } from '../testing/rows.ts';
import { executionOver, namesOf, toTerm } from '../testing/small-store.ts';
import { VariableEvaluator } from './evaluator.ts';
import { NotEvaluator } from './logic.ts';
import { orderBy, type SortKey } from './order.ts';
import { topK } from './top-k.ts';

/** Half of the numbers are the store's, half of them this evaluation's own. */
const execution = await executionOver([0, 1, 2, 3].map((o) => ({ s: 'a', p: 'p', o })));
const idOfNumber = (value: number): number => execution.idOf(integerLiteral(value));

function key(slot: number, descending = false): SortKey {
  return { expression: { evaluator: new VariableEvaluator(slot), exists: [] }, descending };
}

/** Rows of numbers, some unbound, each with its own number last so that equal ones can be told apart. */
const anyNumbers = fc
  .array(fc.tuple(fc.option(fc.nat({ max: 6 })), fc.option(fc.nat({ max: 6 }))), { maxLength: 30 })
  .map((pairs) => pairs.map((pair, at) => [...pair.map((n) => (n === null ? 0 : idOfNumber(n))), at + 1]));

function naively(rows: readonly Row[], directions: readonly boolean[]): Row[] {
  const rank = (id: number) => (id === 0 ? -1 : Number(execution.term(id).value));
  return [...rows].sort((a, b) => {
    for (const [slot, descending] of directions.entries()) {
      const order = rank(a[slot]) - rank(b[slot]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

describe('orderBy', () => {
  it('sorts by each key in its direction, the unbound first, and keeps the order of equal rows', () => {
    fc.assert(
      fc.property(anyNumbers, anyCuts, fc.boolean(), fc.boolean(), (rows, cuts, first, second) => {
        const plan = orderBy([key(0, first), key(1, second)]);
        expect(rowsOf(plan(execution, stepsOf(rows, cuts)), 3)).toEqual(naively(rows, [first, second]));
      }),
    );
  });

  it.each(BORDER_SIZES)('sorts %i rows into batches', (size) => {
    const rows = Array.from({ length: size }, (_, i) => [idOfNumber((i * 7919) % 5000), 0, i + 1]);
    expect(rowsOf(orderBy([key(0)])(execution, stepsOf(rows, [size])), 3)).toEqual(naively(rows, [false]));
  });

  it('puts blank nodes before IRIs and IRIs before literals', () => {
    const [iri, number] = [execution.idOf(toTerm('a')), idOfNumber(1)];
    const rows = rowsOf(orderBy([key(0)])(execution, stepsOf([[number], [iri], [0]])), 1);
    expect(namesOf(execution, rows.flat())).toEqual(['-', 'a', '1']);
  });

  it('takes an error for unbound', () => {
    const failing = {
      expression: { evaluator: new NotEvaluator(new VariableEvaluator(5)), exists: [] },
      descending: false,
    };
    expect(rowsOf(orderBy([failing])(execution, stepsOf([[2], [1]])), 1)).toEqual([[2], [1]]);
  });

  it('refuses more rows than its memory holds', async () => {
    const small = await executionOver([], { maxMemoryBytes: 10_000 });
    const rows = Array.from({ length: 2000 }, () => [1]);
    expect(() => rowsOf(orderBy([key(0)])(small, stepsOf(rows)), 1)).toThrow(
      expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }),
    );
  });
});

describe('topK', () => {
  it('gives the first rows of what orderBy gives', () => {
    fc.assert(
      fc.property(
        anyNumbers,
        anyCuts,
        fc.boolean(),
        fc.integer({ min: 1, max: 12 }),
        (rows, cuts, descending, limit) => {
          const keys = [key(0, descending), key(1)];
          const expected = rowsOf(orderBy(keys)(execution, stepsOf(rows, cuts)), 3).slice(0, limit);
          expect(rowsOf(topK(keys, limit)(execution, stepsOf(rows, cuts)), 3)).toEqual(expected);
        },
      ),
    );
  });

  it.each(BORDER_SIZES)('takes %i rows, and a limit that is greater', (size) => {
    const rows = Array.from({ length: size }, (_, i) => [idOfNumber((i * 7919) % 5000), 0, i + 1]);
    for (const limit of [1, 300, size + 1]) {
      const found = rowsOf(topK([key(0)], limit)(execution, stepsOf(rows, [size])), 3);
      expect(found).toEqual(naively(rows, [false]).slice(0, limit));
    }
  });

  it('holds no more than its limit', async () => {
    const small = await executionOver([], { maxMemoryBytes: 10_000 });
    const rows = Array.from({ length: 5000 }, () => [1]);
    expect(rowsOf(topK([key(0)], 3)(small, stepsOf(rows)), 1)).toEqual([[1], [1], [1]]);
    expect(() => rowsOf(topK([key(0)], 3000)(small, stepsOf(rows)), 1)).toThrow(
      expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }),
    );
  });
});
