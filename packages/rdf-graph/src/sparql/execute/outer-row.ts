import { UNBOUND } from '../../graph/port/term-kind.ts';
import { type Batch, batchInput, type Columns, eachBatch, idAt, type Plan, type Steps, sliceBatch } from './batch.ts';
import type { Execution, Table } from './execution.ts';
import { emitBoth, isCompatible, unmatchedRows } from './joins.ts';
import { Output } from './output.ts';
import { collectHeld, type HeldTable, valueAt } from './table.ts';

/** A column that goes to another slot, or stays. */
export interface Move {
  readonly from: number;
  readonly to: number;
}

/** Copies columns: what comes after may fill the first ones. */
export function copyColumns(moves: readonly Move[]): Plan {
  return eachBatch(copyAll, moves);
}

function* copyAll(moves: readonly Move[], _execution: Execution, batch: Batch): Steps {
  const columns = batch.columns.slice();
  for (const { from, to } of moves) columns[to] = batch.columns[from];
  yield { size: batch.size, columns };
}

/** How the solutions of a plan for one outer row meet the rows that came of it. */
export interface RowJoin {
  /** Where the outer row lies in the rows of the input. */
  readonly moves: readonly Move[];
  /** The slots that both sides may bind. */
  readonly loose: readonly number[];
  readonly right: readonly number[];
  /** Wanted of the input. */
  readonly kept: readonly number[];
}

/** Joins each row with the solutions that a plan has for its outer row. Equal ones one after the other share them. */
export function joinEachRow(right: Plan, join: RowJoin): Plan {
  return eachBatch(joinRows, { right, join });
}

interface RowJoining {
  readonly right: Plan;
  readonly join: RowJoin;
}

const NOTHING_HELD: HeldTable = { table: { size: 0, columns: [] }, bytes: 0 };

function* joinRows({ right, join }: RowJoining, execution: Execution, batch: Batch): Steps {
  const output = new Output(join.right, join.kept);
  let known: Batch | undefined;
  let held = NOTHING_HELD;
  for (let row = 0; row < batch.size; row++) {
    const outer = rowOf(batch, row, join.moves);
    if (known === undefined || !isSameRow(outer.columns, known.columns, join.moves)) {
      execution.memory.release(held.bytes);
      held = yield* collectHeld(execution, right(execution, batchInput(outer)));
      known = outer;
    }
    yield* meet(held.table, join, batch, row, output);
  }
  execution.memory.release(held.bytes);
  yield output.size > 0 ? output.take(batch) : undefined;
}

function rowOf(batch: Batch, row: number, moves: readonly Move[]): Batch {
  const columns: Uint32Array[] = [];
  for (const { from, to } of moves) columns[to] = Uint32Array.of(idAt(batch, from, row));
  return { size: 1, columns };
}

function isSameRow(a: Columns, b: Columns, moves: readonly Move[]): boolean {
  return moves.every(({ to }) => valueAt(a, to, 0) === valueAt(b, to, 0));
}

function* meet(table: Table, join: RowJoin, batch: Batch, row: number, output: Output): Steps {
  for (let found = 0; found < table.size; found++) {
    if ((found + 1) % PAIRS_PER_STEP === 0) yield undefined;
    if (!isCompatible(join.loose, batch.columns, row, table.columns, found)) continue;
    if (!output.reserve()) yield output.take(batch);
    emitBoth(output, join.right, batch, row, table, found);
  }
}

/** Pairs of rows that are compared between two places to pause. */
const PAIRS_PER_STEP = 8192;

/** MINUS inside EXISTS whose right side depends on the outer row. `common`: the slots that both sides may bind. */
export function minusEachRow(left: Plan, right: Plan, common: readonly number[]): Plan {
  return eachBatch(subtractRows, { left, right, common });
}

interface RowSubtraction {
  readonly left: Plan;
  readonly right: Plan;
  readonly common: readonly number[];
}

function* subtractRows({ left, right, common }: RowSubtraction, execution: Execution, batch: Batch): Steps {
  for (let row = 0; row < batch.size; row++) {
    const outer = sliceBatch(batch, row, row + 1);
    const { table, bytes } = yield* collectHeld(execution, right(execution, batchInput(outer)));
    for (const rows of left(execution, batchInput(outer))) {
      if (rows === undefined) yield undefined;
      else yield* subtract(rows, table, common);
    }
    execution.memory.release(bytes);
  }
}

function* subtract(rows: Batch, table: Table, common: readonly number[]): Steps {
  const matched = new Uint8Array(rows.size);
  let pairs = 0;
  for (let row = 0; row < rows.size; row++) {
    for (let found = 0; found < table.size && matched[row] === 0; found++) {
      if (++pairs % PAIRS_PER_STEP === 0) yield undefined;
      if (excludes(rows, row, table, found, common)) matched[row] = 1;
    }
  }
  yield unmatchedRows(rows, matched);
}

function excludes(rows: Batch, row: number, table: Table, found: number, common: readonly number[]): boolean {
  if (!isCompatible(common, rows.columns, row, table.columns, found)) return false;
  return common.some((slot) => idAt(rows, slot, row) !== UNBOUND && valueAt(table.columns, slot, found) !== UNBOUND);
}
