import { type Batch, batchInput, eachBatch, type Plan, type Steps } from './batch.ts';
import { type Collector, createCollector, type GroupAggregate, type GroupsOfRows } from './collectors.ts';
import { VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { type PreparedEvaluator, prepareAll } from './exists.ts';
import { createGroups, type Groups } from './groups.ts';

export interface GroupKey {
  readonly slot: number;
  readonly expression: PreparedEvaluator;
}

/**
 * GROUP BY and aggregates: one row per group; without keys exactly one. Stands alone. `childSlots` are all variables of
 * the child, for COUNT(DISTINCT *).
 */
export function group(
  child: Plan,
  keys: readonly GroupKey[],
  aggregates: readonly GroupAggregate[],
  childSlots: readonly number[],
): Plan {
  const prepared = [...keys, ...aggregates].flatMap(({ expression }) => expression ?? []);
  return eachBatch(groupAll, { child, keys, aggregates, childSlots, prepared });
}

interface Grouping {
  readonly child: Plan;
  readonly keys: readonly GroupKey[];
  readonly aggregates: readonly GroupAggregate[];
  readonly childSlots: readonly number[];
  readonly prepared: readonly PreparedEvaluator[];
}

function* groupAll(
  { child, keys, aggregates, childSlots, prepared }: Grouping,
  execution: Execution,
  input: Batch,
): Steps {
  const groups = createGroups(execution, keys.length);
  const collectors = aggregates.map((aggregate) => createCollector(aggregate, childSlots, execution.memory));
  for (const batch of child(execution, batchInput(input))) {
    if (batch !== undefined) {
      yield* prepareAll(execution, prepared, batch);
      const columns: Uint32Array[] = [];
      for (const { expression } of keys) columns.push(yield* evaluateColumn(execution, batch, expression));
      const numbers = groups.number(columns, batch.size);
      yield* addAll(execution, batch, aggregates, collectors, { numbers, size: groups.size });
    }
    yield undefined;
  }
  yield toBatch(execution, groups, keys, aggregates, collectors);
}

function* addAll(
  execution: Execution,
  batch: Batch,
  aggregates: readonly GroupAggregate[],
  collectors: readonly Collector[],
  groups: GroupsOfRows,
): Generator<undefined, void> {
  for (let i = 0; i < collectors.length; i++) {
    const { expression } = aggregates[i];
    const ids = expression === undefined ? NO_IDS : yield* evaluateColumn(execution, batch, expression);
    yield* collectors[i].add(execution, batch, ids, groups) ?? [];
  }
}

function toBatch(
  execution: Execution,
  groups: Groups,
  keys: readonly GroupKey[],
  aggregates: readonly GroupAggregate[],
  collectors: readonly Collector[],
): Batch {
  const { size } = groups;
  execution.memory.take(4 * size * (keys.length + aggregates.length));
  const columns: (Uint32Array | undefined)[] = [];
  keys.forEach(({ slot }, index) => {
    columns[slot] = Uint32Array.from({ length: size }, (_, number) => groups.key(number, index));
  });
  aggregates.forEach(({ slot }, i) => {
    columns[slot] = Uint32Array.from({ length: size }, (_, number) => collectors[i].result(execution, number));
  });
  return { size, columns };
}

/** COUNT(*) looks at no value. */
const NO_IDS = new Uint32Array(0);

/** The ids of an expression's values, 0 where it has none. */
function* evaluateColumn(
  execution: Execution,
  batch: Batch,
  { evaluator }: PreparedEvaluator,
): Generator<undefined, Uint32Array> {
  if (evaluator instanceof VariableEvaluator) return batch.columns[evaluator.slot] ?? new Uint32Array(batch.size);
  const column = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) {
    execution.beginSolution();
    column[row] = evaluator.id(execution, batch, row);
    if (execution.work.isDue()) yield undefined;
  }
  return column;
}
