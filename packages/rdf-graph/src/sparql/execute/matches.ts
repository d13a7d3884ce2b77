import { type Batch, batchInput, idAt, type Plan, withColumn } from './batch.ts';
import type { Execution } from './execution.ts';

/** The batch with its row numbers, from 1, in a slot. */
export function numbered(batch: Batch, slot: number): Batch {
  const numbers = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) numbers[row] = row + 1;
  return withColumn(batch, slot, numbers);
}

/** Sets 1 for each row whose number an output carries. */
export function markMatches(matched: Uint8Array, output: Batch, rowSlot: number): void {
  for (let row = 0; row < output.size; row++) matched[idAt(output, rowSlot, row) - 1] = 1;
}

/** For each row 1 where a plan that carries its number through `rowSlot` finds something, else 0. */
export function* matchedRows(
  execution: Execution,
  plan: Plan,
  batch: Batch,
  rowSlot: number,
): Generator<undefined, Uint8Array> {
  const matched = new Uint8Array(batch.size);
  for (const output of plan(execution, batchInput(numbered(batch, rowSlot)))) {
    if (output !== undefined) markMatches(matched, output, rowSlot);
    yield undefined;
  }
  return matched;
}
