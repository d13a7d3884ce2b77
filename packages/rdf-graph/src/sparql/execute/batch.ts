import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Execution } from './execution.ts';

/** The number of rows that operators hand on at once. */
export const BATCH_ROWS = 2048;

/** Columns of ids by slot: `undefined` where no row binds the slot, 0 where one row does not. */
export type Columns = readonly (Uint32Array | undefined)[];

/** Some solutions, column by column. Never changed once handed on. */
export interface Batch {
  readonly size: number;
  readonly columns: Columns;
}

/** Work in steps: each gives a batch, or `undefined` as a place to pause. */
export type Steps = Generator<Batch | undefined, void, undefined>;

/** An operator: takes solutions and gives each one extended, filtered or otherwise changed. */
export type Plan = (execution: Execution, input: Steps) => Steps;

/**
 * An operator from the steps that it takes with its options.
 *
 * One generator function serves all operators of a kind, and never a closure for each: generators of every closure are
 * of a hidden class of their own, which costs more than all else of a small query.
 */
export function planOf<Options>(
  run: (options: Options, execution: Execution, input: Steps) => Steps,
  options: Options,
): Plan {
  return (execution, input) => run(options, execution, input);
}

/** The same for an operator that treats each batch for itself. */
export function eachBatch<Options>(
  treat: (options: Options, execution: Execution, batch: Batch) => Steps,
  options: Options,
): Plan {
  return (execution, input) => treatEach(treat, options, execution, input);
}

function* treatEach<Options>(
  treat: (options: Options, execution: Execution, batch: Batch) => Steps,
  options: Options,
  execution: Execution,
  input: Steps,
): Steps {
  for (const batch of input) {
    if (batch === undefined) yield undefined;
    else yield* treat(options, execution, batch);
  }
}

/** One solution that binds nothing: the input of a plan that is alone. */
export function* unitInput(): Steps {
  yield { size: 1, columns: [] };
}

export function* batchInput(batch: Batch): Steps {
  yield batch;
}

export function idAt(batch: Batch, slot: number, row: number): TermId {
  const column = batch.columns[slot];
  return column === undefined ? UNBOUND : column[row];
}

/** The given rows of a batch, in the given order. */
export function takeRows(batch: Batch, rows: Uint32Array, size: number): Batch {
  if (size === batch.size && isIdentity(rows, size)) return batch;
  const columns: (Uint32Array | undefined)[] = [];
  for (let slot = 0; slot < batch.columns.length; slot++) {
    const source = batch.columns[slot];
    if (source === undefined) continue;
    const column = new Uint32Array(size);
    for (let i = 0; i < size; i++) column[i] = source[rows[i]];
    columns[slot] = column;
  }
  return { size, columns };
}

function isIdentity(rows: Uint32Array, size: number): boolean {
  for (let i = 0; i < size; i++) if (rows[i] !== i) return false;
  return true;
}

export function sliceBatch(batch: Batch, start: number, end: number): Batch {
  if (start === 0 && end >= batch.size) return batch;
  const columns: (Uint32Array | undefined)[] = [];
  for (let slot = 0; slot < batch.columns.length; slot++) {
    const source = batch.columns[slot];
    if (source !== undefined) columns[slot] = source.subarray(start, end);
  }
  return { size: end - start, columns };
}

export function withColumn(batch: Batch, slot: number, column: Uint32Array): Batch {
  const columns = batch.columns.slice();
  columns[slot] = column;
  return { size: batch.size, columns };
}

export function keepSlots(batch: Batch, slots: readonly number[]): Batch {
  const columns: (Uint32Array | undefined)[] = [];
  for (const slot of slots) if (batch.columns[slot] !== undefined) columns[slot] = batch.columns[slot];
  return { size: batch.size, columns };
}

/** The bytes of a batch's columns, and of their array. */
export function bytesOf({ size, columns }: Batch): number {
  let bound = 0;
  for (let slot = 0; slot < columns.length; slot++) if (columns[slot] !== undefined) bound++;
  return 4 * size * bound + 8 * columns.length;
}
