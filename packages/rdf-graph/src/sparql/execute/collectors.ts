import type * as RDF from '@rdfjs/types';
import { UNBOUND } from '../../graph/port/term-kind.ts';
import type { AggregateBinding } from '../algebra/algebra.ts';
import { type AccumulatedName, type Aggregate, createAggregate } from '../functions/aggregate.ts';
import { divide } from '../functions/arithmetic.ts';
import { integerLiteral, integerValue, numericLiteral } from '../functions/numeric.ts';
import { toNumeric } from '../functions/value.ts';
import type { Batch } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import { errorAs } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { RowSet } from './row-set.ts';

export interface GroupAggregate extends Pick<AggregateBinding, 'name' | 'distinct' | 'separator'> {
  readonly slot: number;
  /** Without expression it is COUNT(*). */
  readonly expression: PreparedEvaluator | undefined;
}

export interface Collector {
  /** `ids` are the values of the expression in the rows of the batch, 0 where it has none. In slices where texts are long. */
  add(execution: Execution, batch: Batch, ids: Uint32Array, groups: GroupsOfRows): Generator<undefined, void> | void;
  /** The id of the value of a group, 0 when it is an error. */
  result(execution: Execution, group: number): number;
}

/** The number of each row's group, below `size`. */
export interface GroupsOfRows {
  readonly numbers: Uint32Array;
  readonly size: number;
}

/** The collector of an aggregate; `childSlots` are the variables that COUNT(DISTINCT *) looks at. */
export function createCollector(
  aggregate: GroupAggregate,
  childSlots: readonly number[],
  memory: MemoryBudget,
): Collector {
  const { name, distinct, expression, separator } = aggregate;
  if (expression === undefined) {
    return distinct ? distinctRowCounter(childSlots, memory) : counter(memory, countRows);
  }
  if (name === 'count') return distinct ? distinctValueCounter(memory) : counter(memory, countValues);
  if (name === 'min' || name === 'max') return extremeCollector(memory, name === 'max' ? -1 : 1);
  if (!distinct && (name === 'sum' || name === 'avg')) return sumCollector(memory, name === 'avg');
  return libraryCollector(memory, name, distinct, separator);
}

/** Numbers by group, 0 at first. */
class GroupNumbers {
  readonly #memory: MemoryBudget;
  values: Float64Array = new Float64Array(16);

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  reserve(groups: number): Float64Array {
    if (groups > this.values.length) {
      this.#memory.take((groups * 2 - this.values.length) * 8);
      const values = new Float64Array(groups * 2);
      values.set(this.values);
      this.values = values;
    }
    return this.values;
  }
}

/** A collector that counts: `count` adds the rows of a batch to the numbers of their groups. */
function counter(
  memory: MemoryBudget,
  count: (counts: Float64Array, batch: Batch, ids: Uint32Array, groups: GroupsOfRows) => void,
): Collector {
  const counts = new GroupNumbers(memory);
  return {
    add(_execution, batch, ids, groups) {
      count(counts.reserve(groups.size), batch, ids, groups);
    },
    result: (execution, group) => execution.idOf(integerLiteral(counts.values[group] ?? 0)),
  };
}

/** COUNT(*) */
function countRows(counts: Float64Array, batch: Batch, _ids: Uint32Array, { numbers, size }: GroupsOfRows): void {
  if (size === 1) counts[0] += batch.size;
  else for (let row = 0; row < batch.size; row++) counts[numbers[row]]++;
}

/** COUNT of an expression: the rows in which it has a value. */
function countValues(counts: Float64Array, batch: Batch, ids: Uint32Array, { numbers }: GroupsOfRows): void {
  for (let row = 0; row < batch.size; row++) if (ids[row] !== UNBOUND) counts[numbers[row]]++;
}

/** COUNT(DISTINCT ...) of an expression. */
function distinctValueCounter(memory: MemoryBudget): Collector {
  const seen = new RowSet(2, memory);
  return counter(memory, (counts, batch, ids, { numbers }) => {
    const columns = [numbers, ids];
    for (let row = 0; row < batch.size; row++) {
      if (ids[row] !== UNBOUND && seen.admit(columns, PAIR, row)) counts[numbers[row]]++;
    }
  });
}

/** The columns of a group and a value. */
const PAIR = [0, 1];

/** COUNT(DISTINCT *) */
function distinctRowCounter(slots: readonly number[], memory: MemoryBudget): Collector {
  const seen = new RowSet(slots.length + 1, memory);
  return counter(memory, (counts, batch, _ids, { numbers }) => {
    const columns = [numbers, ...slots.map((slot) => batch.columns[slot])];
    const all = columns.map((_, i) => i);
    for (let row = 0; row < batch.size; row++) if (seen.admit(columns, all, row)) counts[numbers[row]]++;
  });
}

/** About what an accumulator of the library takes. */
const AGGREGATE_BYTES = 400;

function newAccumulator(memory: MemoryBudget, name: AccumulatedName, separator?: string): Aggregate {
  memory.take(AGGREGATE_BYTES);
  return createAggregate(name, separator);
}

/** Sums of doubles stay exact for integers below this. */
const EXACT_SUM = 2 ** 52;

/** SUM and AVG: small integers as doubles, everything else by the library. */
function sumCollector(memory: MemoryBudget, isAverage: boolean): Collector {
  const sums = new GroupNumbers(memory);
  const counts = new GroupNumbers(memory);
  const others: (Aggregate | undefined)[] = [];
  const otherOf = (group: number): Aggregate => {
    others[group] ??= newAccumulator(memory, 'sum');
    return others[group];
  };
  const sumOf = (group: number): RDF.Term => {
    const sum = integerLiteral(sums.values[group] ?? 0);
    const other = others[group];
    if (other === undefined) return sum;
    if (sums.values[group] !== 0) other.add(sum);
    sums.values[group] = 0;
    return other.result();
  };
  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every value that is summed comes through here
    add(execution, batch, ids, { numbers, size }) {
      const sumsOfGroups = sums.reserve(size);
      const countsOfGroups = counts.reserve(size);
      const valuesOf = execution.numbers;
      for (let row = 0; row < batch.size; row++) {
        const group = numbers[row];
        const id = ids[row];
        countsOfGroups[group]++;
        const integer = id === UNBOUND ? Number.NaN : valuesOf.integer(id);
        if (!Number.isNaN(integer)) {
          sumsOfGroups[group] += integer;
          if (Math.abs(sumsOfGroups[group]) <= EXACT_SUM) continue;
          otherOf(group).add(integerLiteral(sumsOfGroups[group]));
          sumsOfGroups[group] = 0;
        } else otherOf(group).add(id === UNBOUND ? undefined : execution.term(id));
      }
    },
    result(execution, group) {
      try {
        const sum = sumOf(group);
        const count = counts.values[group] ?? 0;
        if (!isAverage || count === 0) return execution.idOf(sum);
        return execution.idOf(numericLiteral(divide(toNumeric(sum) ?? integerValue(0), integerValue(count))));
      } catch (error) {
        return errorAs(error, UNBOUND);
      }
    },
  };
}

/** MIN (sign 1) and MAX (sign -1), in the order of ORDER BY. The first of equal values stays. */
function extremeCollector(memory: MemoryBudget, sign: 1 | -1): Collector {
  /** The best id per group; -1 after an error. */
  const best: number[] = [];
  return {
    *add(execution, batch, ids, { numbers, size }) {
      if (size > best.length) memory.take((size - best.length) * 16);
      for (let row = 0; row < batch.size; row++) {
        const group = numbers[row];
        const id = ids[row];
        const old = best[group];
        if (id === UNBOUND) best[group] = -1;
        else if (old === undefined || (old >= 0 && compareIds(execution, id, old) * sign < 0)) best[group] = id;
        if (execution.work.isDue()) yield undefined;
      }
    },
    result: (_execution, group) => Math.max(0, best[group] ?? 0),
  };
}

/** Making a term and giving it to an accumulator; so many units of its text more take a step. */
const STEPS_PER_TERM = 50;
const UNITS_PER_STEP = 8;

/** About what a part of GROUP_CONCAT takes besides its text. */
const PART_BYTES = 32;

/** Other aggregates, by the library's accumulators. */
function libraryCollector(
  memory: MemoryBudget,
  name: AccumulatedName,
  distinct: boolean,
  separator: string | undefined,
): Collector {
  const seen = distinct ? new RowSet(2, memory) : undefined;
  const groups: (Aggregate | undefined)[] = [];
  const accumulatorOf = (group: number): Aggregate => {
    groups[group] ??= newAccumulator(memory, name, separator);
    return groups[group];
  };
  return {
    *add(execution, batch, ids, { numbers }) {
      const columns = [numbers, ids];
      for (let row = 0; row < batch.size; row++) {
        if (seen?.admit(columns, PAIR, row) === false) continue;
        const term = ids[row] === UNBOUND ? undefined : execution.term(ids[row]);
        const length = term?.value.length ?? 0;
        if (name === 'group_concat') memory.take(PART_BYTES + 2 * length);
        accumulatorOf(numbers[row]).add(term);
        execution.work.note(STEPS_PER_TERM + length / UNITS_PER_STEP);
        if (execution.work.isDue()) yield undefined;
      }
    },
    result(execution, group) {
      try {
        return execution.idOf(accumulatorOf(group).result());
      } catch (error) {
        return errorAs(error, UNBOUND);
      }
    },
  };
}
