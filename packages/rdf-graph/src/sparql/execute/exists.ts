import { type Batch, batchInput, eachBatch, idAt, type Plan, type Steps, takeRows, withColumn } from './batch.ts';
import { type Evaluator, TestEvaluator, Truth } from './evaluator.ts';
import type { Execution } from './execution.ts';

/** EXISTS: decided for a whole batch before its rows are looked at. */
export class ExistsEvaluator extends TestEvaluator {
  readonly #plan: Plan;
  readonly #rowSlot: number;
  readonly #negated: boolean;
  readonly #found = new WeakMap<Execution, Uint8Array>();

  /** `rowSlot` carries the number of the outer row through the plan. */
  constructor(plan: Plan, rowSlot: number, negated: boolean) {
    super();
    this.#plan = plan;
    this.#rowSlot = rowSlot;
    this.#negated = negated;
  }

  *prepare(execution: Execution, batch: Batch): Generator<undefined, void> {
    this.#found.set(execution, yield* matchedRows(execution, this.#plan, batch, this.#rowSlot));
  }

  override test(execution: Execution, _batch: Batch, row: number): number {
    const found = this.#found.get(execution)?.[row] === 1;
    return found !== this.#negated ? Truth.true : Truth.false;
  }
}

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

/** A compiled expression with the EXISTS in it. */
export interface PreparedEvaluator {
  readonly evaluator: Evaluator;
  readonly exists: readonly ExistsEvaluator[];
}

export function* prepareAll(
  execution: Execution,
  prepared: readonly PreparedEvaluator[],
  batch: Batch,
): Generator<undefined, void> {
  for (const { exists } of prepared) for (const test of exists) yield* test.prepare(execution, batch);
}

/** Keeps rows for which every condition is true. */
export function filter(conditions: readonly PreparedEvaluator[]): Plan {
  const evaluators = conditions.map(({ evaluator }) => evaluator);
  return eachBatch(selectRows, { conditions, evaluators });
}

interface Conditions {
  readonly conditions: readonly PreparedEvaluator[];
  readonly evaluators: readonly Evaluator[];
}

function* selectRows({ conditions, evaluators }: Conditions, execution: Execution, batch: Batch): Steps {
  yield* prepareAll(execution, conditions, batch);
  const selection: Selection = { rows: new Uint32Array(batch.size), kept: 0 };
  for (let row = 0; row < batch.size; ) {
    row = select(execution, evaluators, batch, row, selection);
    if (row < batch.size) yield undefined;
  }
  yield selection.kept === 0 ? undefined : takeRows(batch, selection.rows, selection.kept);
}

/** The rows of a batch that are kept, so many of them. */
interface Selection {
  readonly rows: Uint32Array;
  kept: number;
}

/** Tests rows from `start` on until others should have their turn; returns where to go on. */
function select(
  execution: Execution,
  conditions: readonly Evaluator[],
  batch: Batch,
  start: number,
  selection: Selection,
): number {
  const { rows } = selection;
  const { work } = execution;
  for (let row = start; row < batch.size; row++) {
    if (holds(execution, conditions, batch, row)) rows[selection.kept++] = row;
    if (work.isDue()) return row + 1;
  }
  return batch.size;
}

function holds(execution: Execution, conditions: readonly Evaluator[], batch: Batch, row: number): boolean {
  for (const condition of conditions) if (condition.test(execution, batch, row) !== Truth.true) return false;
  return true;
}
