import fc from 'fast-check';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { BATCH_ROWS, type Batch, idAt, type Plan, type Steps, unitInput } from '../execute/batch.ts';
import type { Execution } from '../execute/execution.ts';

/** The id of each slot; 0 where a row does not bind it. */
export type Row = readonly TermId[];

/** Rows as one batch; a slot that no row binds has no column. */
export function batchOf(rows: readonly Row[]): Batch {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, slot) => {
    const column = Uint32Array.from(rows, (row) => row[slot] ?? UNBOUND);
    return column.some((id) => id !== UNBOUND) ? column : undefined;
  });
  return { size: rows.length, columns };
}

/** Rows in batches of so many, which may be none, with a pause after each; the rest is the last batch. */
export function* stepsOf(rows: readonly Row[], sizes: readonly number[] = []): Steps {
  let at = 0;
  for (const size of sizes) {
    yield batchOf(rows.slice(at, at + size));
    yield undefined;
    at += size;
  }
  if (at < rows.length) yield batchOf(rows.slice(at));
}

/** Collects the rows of some steps, with `width` slots each. */
export function rowsOf(steps: Steps, width: number): Row[] {
  const rows: Row[] = [];
  for (const batch of steps) {
    for (let row = 0; row < (batch?.size ?? 0); row++) {
      rows.push(Array.from({ length: width }, (_, slot) => (batch === undefined ? UNBOUND : idAt(batch, slot, row))));
    }
  }
  return rows;
}

export function aloneRows(execution: Execution, plan: Plan, width: number): Row[] {
  return rowsOf(plan(execution, unitInput()), width);
}

/** A plan that gives the same rows whatever comes in: the right side of joins. */
export function tableOfRows(rows: readonly Row[], sizes: readonly number[] = []): Plan {
  return () => stepsOf(rows, sizes);
}

/** Rows as a multiset that can be compared. */
export function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => {
    const at = a.findIndex((id, slot) => id !== b[slot]);
    return at < 0 ? 0 : a[at] - b[at];
  });
}

/** So many rows that only number themselves, in slot 0. */
export function numberedRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => [i + 1]);
}

export const BORDER_SIZES: readonly number[] = [0, 1, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 1];

/** Where rows are cut into batches, empty ones among them. */
export const anyCuts: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 4 }), { maxLength: 6 });

/** Rows of so many slots, each one of few ids, or unbound. */
export function anyRows(
  width: number,
  { bound = [], maxLength = 12 }: { readonly bound?: readonly number[]; readonly maxLength?: number } = {},
): fc.Arbitrary<Row[]> {
  const slots = Array.from({ length: width }, (_, slot) => fc.integer({ min: bound.includes(slot) ? 1 : 0, max: 3 }));
  return fc.array(fc.tuple(...slots), { maxLength });
}

/** Both rows in one, or `undefined` where a slot that both bind has two ids. */
export function joined(left: Row, right: Row): Row | undefined {
  const width = Math.max(left.length, right.length);
  const row = Array.from({ length: width }, (_, slot) => left[slot] || right[slot] || UNBOUND);
  const isCompatible = row.every((id, slot) => (right[slot] || id) === id);
  return isCompatible ? row : undefined;
}
