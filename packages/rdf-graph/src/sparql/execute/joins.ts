import { UNBOUND } from '../../store/term-kind.ts';
import {
  BATCH_ROWS,
  type Batch,
  batchInput,
  type Columns,
  idAt,
  type Plan,
  type Steps,
  takeRows,
  unitInput,
} from './batch.ts';
import type { Execution } from './execution.ts';
import { numbered } from './exists.ts';
import { Output } from './output.ts';
import { collect, HashIndex, type Table, valueAt } from './table.ts';

/** The variables over which two sides meet. */
export interface JoinSlots {
  /** Bound by every row of both sides. */
  readonly keys: readonly number[];
  /** Shared, but unbound in some rows of either side. */
  readonly loose: readonly number[];
  /** Wanted from the right side. */
  readonly right: readonly number[];
  /** Wanted from the left side. */
  readonly kept: readonly number[];
}

/** Runs a plan that does not depend on its input, once per evaluation. */
export function* tableOf(x: Execution, plan: Plan): Generator<undefined, Table> {
  const known = x.tables.get(plan);
  if (known !== undefined) return known;
  const table = yield* collect(x, plan.run(x, unitInput()));
  x.tables.set(plan, table);
  return table;
}

/** Whether two rows agree on every slot that both bind. */
function isCompatible(slots: readonly number[], a: Columns, i: number, b: Columns, j: number): boolean {
  for (const slot of slots) {
    const left = valueAt(a, slot, i);
    if (left === UNBOUND) continue;
    const right = valueAt(b, slot, j);
    if (right !== UNBOUND && right !== left) return false;
  }
  return true;
}

/** Joins each row with a table that was computed once, by hashing. */
export class HashJoin implements Plan {
  readonly #right: Plan;
  readonly #slots: JoinSlots;
  readonly #outSlots: readonly number[];
  readonly #indices = new WeakMap<Table, HashIndex>();

  constructor(right: Plan, slots: JoinSlots) {
    this.#right = right;
    this.#slots = slots;
    this.#outSlots = slots.right;
  }

  *run(x: Execution, input: Steps): Steps {
    const table = yield* tableOf(x, this.#right);
    const index = this.#indexOf(x, table);
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else if (table.size > 0) yield* this.#probe(batch, table, index);
    }
  }

  #indexOf(x: Execution, table: Table): HashIndex {
    let index = this.#indices.get(table);
    if (index === undefined) {
      index = new HashIndex(table, this.#slots.keys, x.memory);
      this.#indices.set(table, index);
    }
    return index;
  }

  *#probe(batch: Batch, table: Table, index: HashIndex): Steps {
    const { loose, kept } = this.#slots;
    const output = new Output(this.#outSlots, kept, Math.min(BATCH_ROWS, batch.size * 2));
    let work = 0;
    for (let row = 0; row < batch.size; row++) {
      for (let found = index.first(batch.columns, row); found >= 0; found = index.next(found, batch.columns, row)) {
        if (++work % (BATCH_ROWS * 4) === 0) yield undefined;
        if (!isCompatible(loose, batch.columns, row, table.columns, found)) continue;
        if (!output.reserve()) yield output.take(batch);
        this.#emit(output, batch, row, table, found);
      }
    }
    yield output.size > 0 ? output.take(batch) : undefined;
  }

  #emit(output: Output, batch: Batch, row: number, table: Table, found: number): void {
    const at = output.size++;
    output.rows[at] = row;
    for (let i = 0; i < this.#outSlots.length; i++) {
      const slot = this.#outSlots[i];
      output.values[i][at] = valueAt(table.columns, slot, found) || valueAt(batch.columns, slot, row);
    }
  }
}

/** OPTIONAL: the rows that the right plan gives for a row, or the row as it is. */
export class LeftJoinPlan implements Plan {
  readonly #right: Plan;
  readonly #rowSlot: number;
  readonly #kept: readonly number[];

  /** `right` carries the row number through `rowSlot` and ends with the condition; `kept` is wanted of the left row. */
  constructor(right: Plan, rowSlot: number, kept: readonly number[]) {
    this.#right = right;
    this.#rowSlot = rowSlot;
    this.#kept = kept;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#join(x, batch);
    }
  }

  *#join(x: Execution, batch: Batch): Steps {
    const matched = new Uint8Array(batch.size);
    for (const output of this.#right.run(x, batchInput(numbered(batch, this.#rowSlot)))) {
      if (output !== undefined) {
        for (let row = 0; row < output.size; row++) matched[idAt(output, this.#rowSlot, row) - 1] = 1;
      }
      yield output;
    }
    const rest = new Uint32Array(batch.size);
    let size = 0;
    for (let row = 0; row < batch.size; row++) if (matched[row] === 0) rest[size++] = row;
    if (size > 0) yield keepSlots(takeRows(batch, rest, size), this.#kept);
  }
}

function keepSlots(batch: Batch, slots: readonly number[]): Batch {
  const columns: (Uint32Array | undefined)[] = [];
  for (const slot of slots) if (batch.columns[slot] !== undefined) columns[slot] = batch.columns[slot];
  return { size: batch.size, columns };
}

/** MINUS where every shared variable is bound on both sides: drops the rows for which the right plan finds something. */
export class AntiJoin implements Plan {
  readonly #right: Plan;
  readonly #rowSlot: number;
  readonly #keys: readonly number[];

  /** `keys`: the slots of the shared variables. */
  constructor(right: Plan, rowSlot: number, keys: readonly number[]) {
    this.#right = right;
    this.#rowSlot = rowSlot;
    this.#keys = keys;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#drop(x, batch);
    }
  }

  *#drop(x: Execution, batch: Batch): Steps {
    const matched = new Uint8Array(batch.size);
    for (const output of this.#right.run(x, batchInput(numbered(this.#shared(batch), this.#rowSlot)))) {
      if (output !== undefined) {
        for (let row = 0; row < output.size; row++) matched[idAt(output, this.#rowSlot, row) - 1] = 1;
      }
      yield undefined;
    }
    yield unmatchedRows(batch, matched);
  }

  /** Only the shared variables: filters of the right side see no others. */
  #shared({ size, columns }: Batch): Batch {
    const shared: (Uint32Array | undefined)[] = [];
    for (const slot of this.#keys) shared[slot] = columns[slot];
    return { size, columns: shared };
  }
}

function unmatchedRows(batch: Batch, matched: Uint8Array): Batch | undefined {
  const rest = new Uint32Array(batch.size);
  let size = 0;
  for (let row = 0; row < batch.size; row++) if (matched[row] === 0) rest[size++] = row;
  return size === 0 ? undefined : takeRows(batch, rest, size);
}

/** MINUS in general: drops the rows that agree with a row of the right table and share a bound variable with it. */
export class MinusPlan implements Plan {
  readonly #right: Plan;
  readonly #keys: readonly number[];
  readonly #loose: readonly number[];

  constructor(right: Plan, keys: readonly number[], loose: readonly number[]) {
    this.#right = right;
    this.#keys = keys;
    this.#loose = loose;
  }

  *run(x: Execution, input: Steps): Steps {
    const table = yield* tableOf(x, this.#right);
    const index = new HashIndex(table, this.#keys, x.memory);
    for (const batch of input) {
      if (batch === undefined) {
        yield undefined;
        continue;
      }
      const matched = new Uint8Array(batch.size);
      let work = 0;
      for (let row = 0; row < batch.size; row++) {
        for (let found = index.first(batch.columns, row); found >= 0; found = index.next(found, batch.columns, row)) {
          if (++work % (BATCH_ROWS * 4) === 0) yield undefined;
          if (!this.#excludes(batch, row, table, found)) continue;
          matched[row] = 1;
          break;
        }
      }
      yield unmatchedRows(batch, matched);
    }
  }

  #excludes(batch: Batch, row: number, table: Table, found: number): boolean {
    if (!isCompatible(this.#loose, batch.columns, row, table.columns, found)) return false;
    return (
      this.#keys.length > 0 ||
      this.#loose.some((slot) => idAt(batch, slot, row) !== UNBOUND && valueAt(table.columns, slot, found) !== UNBOUND)
    );
  }
}
