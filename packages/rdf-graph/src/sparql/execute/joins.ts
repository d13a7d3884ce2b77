import { UNBOUND } from '../../graph/port/term-kind.ts';
import {
  BATCH_ROWS,
  type Batch,
  batchInput,
  type Columns,
  eachBatch,
  idAt,
  keepSlots,
  type Plan,
  planOf,
  type Steps,
  takeRows,
  unitInput,
} from './batch.ts';
import type { Execution, Table } from './execution.ts';
import { markMatches, matchedRows, numbered } from './exists.ts';
import { Output } from './output.ts';
import { collect, HashIndex, valueAt } from './table.ts';

/** The variables over which two sides meet. */
export interface JoinSlots {
  readonly keys: readonly number[];
  /** Shared, but unbound in some rows of either side. */
  readonly loose: readonly number[];
  readonly right: readonly number[];
  /** Wanted from the left side. */
  readonly kept: readonly number[];
}

/** Runs a plan that does not depend on its input, once per evaluation. */
export function* tableOf(execution: Execution, plan: Plan): Generator<undefined, Table> {
  const known = execution.tables.get(plan);
  if (known !== undefined) return known;
  const table = yield* collect(execution, plan(execution, unitInput()));
  execution.tables.set(plan, table);
  return table;
}

/** Returns true if two rows agree on every slot that both bind. */
export function isCompatible(slots: readonly number[], a: Columns, i: number, b: Columns, j: number): boolean {
  for (const slot of slots) {
    const left = valueAt(a, slot, i);
    if (left === UNBOUND) continue;
    const right = valueAt(b, slot, j);
    if (right !== UNBOUND && right !== left) return false;
  }
  return true;
}

/** Joins each row with a table that was computed once, by hashing. */
export function hashJoin(right: Plan, slots: JoinSlots): Plan {
  return planOf(probeAll, { right, slots, indices: new WeakMap() });
}

interface Hashing {
  readonly right: Plan;
  readonly slots: JoinSlots;
  readonly indices: WeakMap<Table, HashIndex>;
}

function* probeAll({ right, slots, indices }: Hashing, execution: Execution, input: Steps): Steps {
  const table = yield* tableOf(execution, right);
  let index = indices.get(table);
  if (index === undefined) {
    index = new HashIndex(table, slots.keys, execution.memory);
    indices.set(table, index);
  }
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else if (table.size > 0) yield* probe(batch, table, index, slots);
  }
}

function* probe(batch: Batch, table: Table, index: HashIndex, { loose, right, kept }: JoinSlots): Steps {
  const output = new Output(right, kept, Math.min(BATCH_ROWS, batch.size * 2));
  let work = 0;
  for (let row = 0; row < batch.size; row++) {
    for (let found = index.first(batch.columns, row); found >= 0; found = index.next(found, batch.columns, row)) {
      if (++work % (BATCH_ROWS * 4) === 0) yield undefined;
      if (!isCompatible(loose, batch.columns, row, table.columns, found)) continue;
      if (!output.reserve()) yield output.take(batch);
      emitBoth(output, right, batch, row, table, found);
    }
  }
  yield output.size > 0 ? output.take(batch) : undefined;
}

export function emitBoth(
  output: Output,
  slots: readonly number[],
  batch: Batch,
  row: number,
  table: Table,
  found: number,
): void {
  const at = output.size++;
  output.rows[at] = row;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i];
    output.values[i][at] = valueAt(table.columns, slot, found) || valueAt(batch.columns, slot, row);
  }
}

/**
 * OPTIONAL: the rows that the right plan gives for a row, or the row as it is. `right` carries the row number through
 * `rowSlot` and ends with the condition; `kept` is wanted of the left row.
 */
export function leftJoin(right: Plan, rowSlot: number, kept: readonly number[]): Plan {
  return eachBatch(joinLeft, { right, rowSlot, slots: kept });
}

/** A right plan that carries the row number through a slot; `slots` of the left row. */
interface MatchedRows {
  readonly right: Plan;
  readonly rowSlot: number;
  readonly slots: readonly number[];
}

function* joinLeft({ right, rowSlot, slots }: MatchedRows, execution: Execution, batch: Batch): Steps {
  const matched = new Uint8Array(batch.size);
  for (const output of right(execution, batchInput(numbered(batch, rowSlot)))) {
    if (output !== undefined) markMatches(matched, output, rowSlot);
    yield output;
  }
  const rest = unmatchedRows(batch, matched);
  if (rest !== undefined) yield keepSlots(rest, slots);
}

/**
 * MINUS where every shared variable is bound on both sides: drops the rows for which the right plan finds something.
 * `keys`: the slots of the shared variables. Filters of the right side see no others.
 */
export function antiJoin(right: Plan, rowSlot: number, keys: readonly number[]): Plan {
  return eachBatch(dropMatched, { right, rowSlot, slots: keys });
}

function* dropMatched({ right, rowSlot, slots }: MatchedRows, execution: Execution, batch: Batch): Steps {
  yield unmatchedRows(batch, yield* matchedRows(execution, right, keepSlots(batch, slots), rowSlot));
}

export function unmatchedRows(batch: Batch, matched: Uint8Array): Batch | undefined {
  const rest = new Uint32Array(batch.size);
  let size = 0;
  for (let row = 0; row < batch.size; row++) if (matched[row] === 0) rest[size++] = row;
  return size === 0 ? undefined : takeRows(batch, rest, size);
}

/** MINUS in general: drops the rows that agree with a row of the right table and share a bound variable with it. */
export function minus(right: Plan, keys: readonly number[], loose: readonly number[]): Plan {
  return planOf(subtract, { right, keys, loose });
}

interface Subtraction {
  readonly right: Plan;
  readonly keys: readonly number[];
  readonly loose: readonly number[];
}

function* subtract({ right, keys, loose }: Subtraction, execution: Execution, input: Steps): Steps {
  const table = yield* tableOf(execution, right);
  const index = new HashIndex(table, keys, execution.memory);
  const excludes = (batch: Batch, row: number, found: number): boolean =>
    isCompatible(loose, batch.columns, row, table.columns, found) &&
    (keys.length > 0 ||
      loose.some((slot) => idAt(batch, slot, row) !== UNBOUND && valueAt(table.columns, slot, found) !== UNBOUND));
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else yield* dropExcluded(batch, index, excludes);
  }
}

function* dropExcluded(
  batch: Batch,
  index: HashIndex,
  excludes: (batch: Batch, row: number, found: number) => boolean,
): Steps {
  const matched = new Uint8Array(batch.size);
  let work = 0;
  for (let row = 0; row < batch.size; row++) {
    let found = index.first(batch.columns, row);
    for (; found >= 0 && !excludes(batch, row, found); found = index.next(found, batch.columns, row)) {
      if (++work % (BATCH_ROWS * 4) === 0) yield undefined;
    }
    if (found >= 0) matched[row] = 1;
  }
  yield unmatchedRows(batch, matched);
}
