import { type Batch, bytesOf, type Columns, type Steps } from './batch.ts';
import type { Execution, Table } from './execution.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** A table, and the bytes that were taken from the memory budget for it. */
export interface HeldTable {
  readonly table: Table;
  readonly bytes: number;
}

/** Gathers every batch of some steps, pausing after each. Its memory is held until the evaluation ends. */
export function* collect(execution: Execution, steps: Steps): Generator<undefined, Table> {
  return (yield* collectHeld(execution, steps)).table;
}

/** The same, for tables that are given up before the evaluation ends: then the bytes have to be released. */
export function* collectHeld(execution: Execution, steps: Steps): Generator<undefined, HeldTable> {
  const batches: Batch[] = [];
  let size = 0;
  let bytes = 0;
  for (const batch of steps) {
    if (batch !== undefined && batch.size > 0) {
      batches.push(batch);
      size += batch.size;
      // It is held as it came and copied into the table.
      execution.memory.take(2 * bytesOf(batch));
      bytes += 2 * bytesOf(batch);
    }
    yield undefined;
  }
  return { table: concatenate(batches, size), bytes };
}

function concatenate(batches: readonly Batch[], size: number): Table {
  if (batches.length === 1) return batches[0];
  const columns: (Uint32Array | undefined)[] = [];
  let at = 0;
  for (const batch of batches) {
    for (let slot = 0; slot < batch.columns.length; slot++) {
      const source = batch.columns[slot];
      if (source === undefined) continue;
      const column = columns[slot] ?? new Uint32Array(size);
      columns[slot] = column;
      column.set(source.length === batch.size ? source : source.subarray(0, batch.size), at);
    }
    at += batch.size;
  }
  return { size, columns };
}

/** Rows of a table by the values of key columns: a chain of rows per hash. */
export class HashIndex {
  readonly #table: Table;
  readonly #slots: readonly number[];
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #mask: number;

  constructor(table: Table, slots: readonly number[], memory: MemoryBudget) {
    this.#table = table;
    this.#slots = slots;
    let size = 16;
    while (size < table.size * 2) size *= 2;
    this.#mask = size - 1;
    memory.take((size + table.size) * 4);
    this.#heads = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(table.size);
    // From the last row to the first, so that chains keep the order of the table.
    for (let row = table.size - 1; row >= 0; row--) {
      const hash = hashRow(table.columns, slots, row) & this.#mask;
      this.#next[row] = this.#heads[hash];
      this.#heads[hash] = row;
    }
  }

  /** The first row whose keys equal those of a row of other columns, or -1. */
  first(columns: Columns, row: number): number {
    return this.#settle(this.#heads[hashRow(columns, this.#slots, row) & this.#mask], columns, row);
  }

  /** The next one after `found`, or -1. */
  next(found: number, columns: Columns, row: number): number {
    return this.#settle(this.#next[found], columns, row);
  }

  #settle(candidate: number, columns: Columns, row: number): number {
    let found = candidate;
    while (found >= 0 && !this.#equals(found, columns, row)) found = this.#next[found];
    return found;
  }

  #equals(found: number, columns: Columns, row: number): boolean {
    for (const slot of this.#slots) {
      if (valueAt(this.#table.columns, slot, found) !== valueAt(columns, slot, row)) return false;
    }
    return true;
  }
}

/** The id in a column, 0 where there is no column. */
export function valueAt(columns: Columns, slot: number, row: number): number {
  const column = columns[slot];
  return column === undefined ? 0 : column[row];
}

export function hashRow(columns: Columns, slots: readonly number[], row: number): number {
  let hash = 0x811c9dc5;
  for (const slot of slots) hash = Math.imul(hash ^ valueAt(columns, slot, row), 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 16)) >>> 0;
}
