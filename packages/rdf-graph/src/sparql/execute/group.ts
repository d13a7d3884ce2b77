import type { AggregateName } from '../functions/aggregate.ts';
import { type Batch, type Plan, type Steps, unitInput } from './batch.ts';
import { type Collector, createCollector } from './collectors.ts';
import { VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import { createGroups, type Groups } from './groups.ts';

/** A key of GROUP BY. */
export interface GroupKey {
  readonly slot: number;
  readonly expression: PreparedEvaluator;
}

/** An aggregate of a group. */
export interface GroupAggregate {
  readonly slot: number;
  readonly name: AggregateName;
  readonly distinct: boolean;
  readonly separator: string | undefined;
  /** Without expression it is COUNT(*). */
  readonly expression: PreparedEvaluator | undefined;
}

/** GROUP BY and aggregates: one row per group; without keys exactly one. Stands alone. */
export class GroupPlan implements Plan {
  readonly #child: Plan;
  readonly #keys: readonly GroupKey[];
  readonly #aggregates: readonly GroupAggregate[];
  /** All variables of the child, for COUNT(DISTINCT *). */
  readonly #childSlots: readonly number[];

  constructor(
    child: Plan,
    keys: readonly GroupKey[],
    aggregates: readonly GroupAggregate[],
    childSlots: readonly number[],
  ) {
    this.#child = child;
    this.#keys = keys;
    this.#aggregates = aggregates;
    this.#childSlots = childSlots;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#group(x);
    }
  }

  *#group(x: Execution): Steps {
    const groups = createGroups(x, this.#keys.length);
    const collectors = this.#aggregates.map((aggregate) => createCollector(aggregate, this.#childSlots, x.memory));
    for (const batch of this.#child.run(x, unitInput())) {
      if (batch !== undefined) {
        yield* this.#prepare(x, batch);
        const keys: Uint32Array[] = [];
        for (const { expression } of this.#keys) keys.push(yield* evaluateColumn(x, batch, expression));
        const numbers = groups.number(keys, batch.size);
        for (let i = 0; i < collectors.length; i++) {
          const { expression } = this.#aggregates[i];
          const ids = expression === undefined ? NO_IDS : yield* evaluateColumn(x, batch, expression);
          const steps = collectors[i].add(x, batch, ids, { numbers, size: groups.size });
          if (steps !== undefined) yield* steps;
        }
      }
      yield undefined;
    }
    yield this.#result(x, groups, collectors);
  }

  *#prepare(x: Execution, batch: Batch): Generator<undefined, void> {
    for (const { expression } of [...this.#keys, ...this.#aggregates]) {
      for (const test of expression?.exists ?? []) yield* test.prepare(x, batch);
    }
  }

  #result(x: Execution, groups: Groups, collectors: readonly Collector[]): Batch {
    const { size } = groups;
    x.memory.take(4 * size * (this.#keys.length + this.#aggregates.length));
    const columns: (Uint32Array | undefined)[] = [];
    this.#keys.forEach(({ slot }, index) => {
      columns[slot] = Uint32Array.from({ length: size }, (_, number) => groups.key(number, index));
    });
    this.#aggregates.forEach(({ slot }, i) => {
      columns[slot] = Uint32Array.from({ length: size }, (_, number) => collectors[i].result(x, number));
    });
    return { size, columns };
  }
}

/** COUNT(*) looks at no value. */
const NO_IDS = new Uint32Array(0);

/** The ids of an expression's values, 0 where it has none. */
function* evaluateColumn(
  x: Execution,
  batch: Batch,
  { evaluator }: PreparedEvaluator,
): Generator<undefined, Uint32Array> {
  if (evaluator instanceof VariableEvaluator) return batch.columns[evaluator.slot] ?? new Uint32Array(batch.size);
  const column = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) {
    x.beginSolution();
    column[row] = evaluator.id(x, batch, row);
    if (x.work.isDue()) yield undefined;
  }
  return column;
}
