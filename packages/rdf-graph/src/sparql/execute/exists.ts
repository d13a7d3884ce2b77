import type * as RDF from '@rdfjs/types';
import { booleanLiteral } from '../functions/effective-boolean-value.ts';
import { type Batch, batchInput, idAt, type Plan, type Steps, takeRows, withColumn } from './batch.ts';
import { Evaluator, Truth } from './evaluator.ts';
import type { Execution } from './execution.ts';

/** EXISTS: decided for a whole batch before its rows are looked at. */
export class ExistsEvaluator extends Evaluator {
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

  /** Has to run before the rows of a batch are tested. */
  *prepare(x: Execution, batch: Batch): Generator<undefined, void> {
    const found = new Uint8Array(batch.size);
    for (const output of this.#plan.run(x, batchInput(numbered(batch, this.#rowSlot)))) {
      if (output !== undefined) {
        for (let row = 0; row < output.size; row++) found[idAt(output, this.#rowSlot, row) - 1] = 1;
      }
      yield undefined;
    }
    this.#found.set(x, found);
  }

  override test(x: Execution, _batch: Batch, row: number): number {
    const found = this.#found.get(x)![row] === 1;
    return found !== this.#negated ? Truth.true : Truth.false;
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    return booleanLiteral(this.test(x, batch, row) === Truth.true);
  }
}

/** The batch with its row numbers, from 1, in a slot. */
export function numbered(batch: Batch, slot: number): Batch {
  const numbers = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) numbers[row] = row + 1;
  return withColumn(batch, slot, numbers);
}

/** A compiled expression with the EXISTS in it. */
export interface PreparedEvaluator {
  readonly evaluator: Evaluator;
  readonly exists: readonly ExistsEvaluator[];
}

/** Prepares every EXISTS of some expressions for a batch. */
export function* prepareAll(
  x: Execution,
  prepared: readonly PreparedEvaluator[],
  batch: Batch,
): Generator<undefined, void> {
  for (const { exists } of prepared) for (const test of exists) yield* test.prepare(x, batch);
}

/** The rows of a batch that are kept, so many of them. */
interface Selection {
  readonly rows: Uint32Array;
  kept: number;
}

/** Keeps rows for which every condition is true. */
export class FilterPlan implements Plan {
  readonly #conditions: readonly PreparedEvaluator[];

  constructor(conditions: readonly PreparedEvaluator[]) {
    this.#conditions = conditions;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#filter(x, batch);
    }
  }

  *#filter(x: Execution, batch: Batch): Steps {
    yield* prepareAll(x, this.#conditions, batch);
    const selection: Selection = { rows: new Uint32Array(batch.size), kept: 0 };
    for (let row = 0; row < batch.size; ) {
      row = this.#select(x, batch, row, selection);
      if (row < batch.size) yield undefined;
    }
    yield selection.kept === 0 ? undefined : takeRows(batch, selection.rows, selection.kept);
  }

  /** Tests rows from `start` on until others should have their turn; returns where to go on. */
  #select(x: Execution, batch: Batch, start: number, selection: Selection): number {
    const { rows } = selection;
    const { work } = x;
    for (let row = start; row < batch.size; row++) {
      if (this.#holds(x, batch, row)) rows[selection.kept++] = row;
      if (work.isDue()) return row + 1;
    }
    return batch.size;
  }

  #holds(x: Execution, batch: Batch, row: number): boolean {
    for (const { evaluator } of this.#conditions) if (evaluator.test(x, batch, row) !== Truth.true) return false;
    return true;
  }
}
