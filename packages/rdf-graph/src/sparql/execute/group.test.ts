import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AggregateName } from '../functions/aggregate.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { aloneRows, anyCuts, BORDER_SIZES, numberedRows, type Row, tableOfRows } from '../testing/rows.ts';
import { executionOver, namesOf } from '../testing/small-store.ts';
import type { GroupAggregate } from './collectors.ts';
import { VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { group } from './group.ts';

const execution = await executionOver([]);
const ofSlot = (slot: number) => ({ evaluator: new VariableEvaluator(slot), exists: [] });
const byFirst = { slot: 0, expression: ofSlot(0) };
const bySecond = { slot: 1, expression: ofSlot(1) };

/** An aggregate of slot 2 into slot 3; without `of` it is COUNT(*). */
function aggregate(name: AggregateName, { distinct = false, of = true, separator = ' ' } = {}): GroupAggregate {
  return { slot: 3, name, distinct, separator, expression: of ? ofSlot(2) : undefined };
}

/** Slots 0 and 1 are keys, slot 2 is a number or unbound. */
const anyMembers = fc
  .array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 }), fc.option(fc.integer({ min: -3, max: 4 }))), {
    maxLength: 20,
  })
  .map((rows) => rows.map(([a, b, n]) => [a, b, n === null ? 0 : execution.idOf(integerLiteral(n))]));

/** The numbers of a group; `undefined` for those that are unbound. */
type Members = readonly (number | undefined)[];

function numbersOf(rows: readonly Row[]): Members {
  return rows.map(([, , id]) => (id === 0 ? undefined : Number(execution.term(id).value)));
}

const bound = (members: Members): number[] => members.flatMap((member) => member ?? []);
const once = (members: Members): Members => [...new Set(members)];
const sum = (members: Members): number => bound(members).reduce((total, member) => total + member, 0);
const orError = (members: Members, value: number): number | undefined =>
  members.includes(undefined) ? undefined : value;

const AGGREGATES: readonly (readonly [string, GroupAggregate, (members: Members) => number | undefined])[] = [
  ['COUNT(*)', aggregate('count', { of: false }), (members) => members.length],
  ['COUNT(?n)', aggregate('count'), (members) => bound(members).length],
  ['COUNT(DISTINCT ?n)', aggregate('count', { distinct: true }), (members) => once(bound(members)).length],
  ['SUM(?n)', aggregate('sum'), (members) => orError(members, sum(members))],
  ['SUM(DISTINCT ?n)', aggregate('sum', { distinct: true }), (members) => orError(members, sum(once(members)))],
  ['MIN(?n)', aggregate('min'), (members) => orError(members, Math.min(...bound(members)))],
  ['MAX(?n)', aggregate('max'), (members) => orError(members, Math.max(...bound(members)))],
];

function groupsOf(rows: readonly Row[], slots: readonly number[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = slots.map((slot) => row[slot]).join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

describe('group', () => {
  it.each(AGGREGATES)('computes %s for each key, whatever the batches', (_, one, naive) => {
    fc.assert(
      fc.property(anyMembers, anyCuts, fc.constantFrom([0], [0, 1]), (rows, cuts, slots) => {
        const keys = [byFirst, bySecond].slice(0, slots.length);
        const found = aloneRows(execution, group(tableOfRows(rows, cuts), keys, [one], []), 4);
        const expected = [...groupsOf(rows, slots).values()].map((members) => {
          const value = naive(numbersOf(members));
          return [
            ...slots.map((slot) => members[0][slot]),
            value === undefined ? 0 : execution.idOf(integerLiteral(value)),
          ];
        });
        expect(found.map((row) => [...slots.map((slot) => row[slot]), row[3]])).toEqual(expected);
      }),
    );
  });

  it.each([
    ['count', '0'],
    ['sum', '0'],
    ['avg', '0'],
    ['group_concat', ''],
    ['min', '-'],
    ['max', '-'],
    ['sample', '-'],
  ] as const)('gives %s of nothing as "%s" in the one group that is there without keys', (name, expected) => {
    const rows = aloneRows(execution, group(tableOfRows([]), [], [aggregate(name)], []), 4);
    expect(rows.map((row) => namesOf(execution, [row[3]]))).toEqual([[expected]]);
    expect(aloneRows(execution, group(tableOfRows([]), [byFirst], [aggregate(name)], []), 4)).toEqual([]);
  });

  it('divides for AVG, joins texts for GROUP_CONCAT, and takes some value for SAMPLE', () => {
    const rows = [1, 2, 4].map((n) => [0, 0, execution.idOf(integerLiteral(n))]);
    const textOf = (one: GroupAggregate) =>
      namesOf(execution, [aloneRows(execution, group(tableOfRows(rows, [1]), [], [one], []), 4)[0][3]])[0];
    expect(textOf(aggregate('avg'))).toMatch(/^2\.33/);
    expect(textOf(aggregate('group_concat', { separator: '|' }))).toBe('1|2|4');
    expect(['1', '2', '4']).toContain(textOf(aggregate('sample')));
  });

  it('counts distinct solutions by all variables of its child', () => {
    const rows: Row[] = [
      [1, 1, 1],
      [1, 1, 2],
      [1, 1, 1],
      [1, 0, 1],
    ];
    const plan = group(
      tableOfRows(rows, [2]),
      [byFirst],
      [aggregate('count', { distinct: true, of: false })],
      [0, 1, 2],
    );
    expect(namesOf(execution, [aloneRows(execution, plan, 4)[0][3]])).toEqual(['3']);
  });

  it('sums integers that doubles do not hold', () => {
    const large = [2 ** 51, 2 ** 51, 2 ** 51, 5].map((n) => [0, 0, execution.idOf(integerLiteral(n))]);
    const plan = group(tableOfRows(large), [], [aggregate('sum')], []);
    expect(namesOf(execution, [aloneRows(execution, plan, 4)[0][3]])).toEqual([String(3n * 2n ** 51n + 5n)]);
  });

  it.each(BORDER_SIZES)('takes %i groups', (size) => {
    const plan = group(tableOfRows(numberedRows(size), [size]), [byFirst], [aggregate('count', { of: false })], []);
    expect(aloneRows(execution, plan, 1)).toEqual(numberedRows(size));
  });

  it('refuses more groups than its memory holds', async () => {
    const run = (one: Execution) =>
      aloneRows(one, group(tableOfRows(numberedRows(20_000)), [byFirst, bySecond], [aggregate('sample')], []), 4);
    const small = await executionOver([], { maxMemoryBytes: 200_000 });
    expect(() => run(small)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }));
  });
});
