import type * as RDF from '@rdfjs/types';
import { UNBOUND } from '../../graph/port/term-kind.ts';
import type { AggregateName } from '../functions/aggregate.ts';
import { type Aggregate, createAggregate } from '../functions/aggregate.ts';
import { divide } from '../functions/arithmetic.ts';
import { integerLiteral, integerValue, numericLiteral } from '../functions/numeric.ts';
import { toNumeric } from '../functions/value.ts';
import type { Batch } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import { errorAs } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { NumberKind } from './number-cache.ts';
import { RowSet } from './row-set.ts';

export interface GroupAggregate {
  readonly slot: number;
  readonly name: AggregateName;
  readonly distinct: boolean;
  readonly separator: string | undefined;
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
  const { name, distinct, expression } = aggregate;
  if (expression === undefined) {
    return distinct ? distinctRowCounter(childSlots, memory) : counter(memory, countRows);
  }
  if (name === 'count') return distinct ? distinctValueCounter(memory) : counter(memory, countValues);
  if (name === 'min' || name === 'max') return new ExtremeCollector(memory, name === 'max');
  if (!distinct && (name === 'sum' || name === 'avg')) return new SumCollector(memory, name === 'avg');
  return new LibraryCollector(aggregate, memory);
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
      if (ids[row] === UNBOUND) continue;
      const before = seen.size;
      if (seen.add(columns, PAIR, row) === before) counts[numbers[row]]++;
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
    for (let row = 0; row < batch.size; row++) {
      const before = seen.size;
      if (seen.add(columns, all, row) === before) counts[numbers[row]]++;
    }
  });
}

/** About what an accumulator of the library takes. */
const AGGREGATE_BYTES = 400;

/** Sums of doubles stay exact for integers below this. */
const EXACT_SUM = 2 ** 52;

/** SUM and AVG: small integers as doubles, everything else by the library. */
class SumCollector implements Collector {
  readonly #memory: MemoryBudget;
  readonly #isAverage: boolean;
  readonly #sums: GroupNumbers;
  readonly #counts: GroupNumbers;
  readonly #others: (Aggregate | undefined)[] = [];

  constructor(memory: MemoryBudget, isAverage: boolean) {
    this.#memory = memory;
    this.#isAverage = isAverage;
    this.#sums = new GroupNumbers(memory);
    this.#counts = new GroupNumbers(memory);
  }

  add(execution: Execution, batch: Batch, ids: Uint32Array, { numbers, size }: GroupsOfRows): void {
    const sums = this.#sums.reserve(size);
    const counts = this.#counts.reserve(size);
    for (let row = 0; row < batch.size; row++) {
      const group = numbers[row];
      const id = ids[row];
      counts[group]++;
      if (id !== UNBOUND && execution.numbers.kind(id) === NumberKind.integer) {
        sums[group] += execution.numbers.value(id);
        if (Math.abs(sums[group]) > EXACT_SUM) this.#spill(group);
      } else this.#other(group).add(id === UNBOUND ? undefined : execution.term(id));
    }
  }

  #other(group: number): Aggregate {
    const known = this.#others[group];
    if (known !== undefined) return known;
    this.#memory.take(AGGREGATE_BYTES);
    const aggregate = createAggregate('sum');
    this.#others[group] = aggregate;
    return aggregate;
  }

  #spill(group: number): void {
    const sums = this.#sums.values;
    this.#other(group).add(integerLiteral(sums[group]));
    sums[group] = 0;
  }

  result(execution: Execution, group: number): number {
    try {
      const sum = this.#sum(group);
      if (!this.#isAverage) return execution.idOf(sum);
      const count = this.#counts.values[group] ?? 0;
      const average = count === 0 ? integerValue(0) : divide(toNumeric(sum) ?? integerValue(0), integerValue(count));
      return execution.idOf(numericLiteral(average));
    } catch (error) {
      return errorAs(error, UNBOUND);
    }
  }

  #sum(group: number): RDF.Term {
    const other = this.#others[group];
    const sum = integerLiteral(this.#sums.values[group] ?? 0);
    if (other === undefined) return sum;
    if (this.#sums.values[group] !== 0) other.add(sum);
    this.#sums.values[group] = 0;
    return other.result();
  }
}

/** MIN and MAX, in the order of ORDER BY. The first of equal values stays. */
class ExtremeCollector implements Collector {
  readonly #memory: MemoryBudget;
  readonly #sign: number;
  /** The best id per group; -1 after an error. */
  readonly #best: number[] = [];

  constructor(memory: MemoryBudget, isMaximum: boolean) {
    this.#memory = memory;
    this.#sign = isMaximum ? -1 : 1;
  }

  *add(
    execution: Execution,
    batch: Batch,
    ids: Uint32Array,
    { numbers, size }: GroupsOfRows,
  ): Generator<undefined, void> {
    if (size > this.#best.length) this.#memory.take((size - this.#best.length) * 16);
    for (let row = 0; row < batch.size; row++) {
      const group = numbers[row];
      const id = ids[row];
      const best = this.#best[group];
      if (id === UNBOUND) this.#best[group] = -1;
      else if (best === undefined || (best >= 0 && compareIds(execution, id, best) * this.#sign < 0))
        this.#best[group] = id;
      if (execution.work.isDue()) yield undefined;
    }
  }

  result(_execution: Execution, group: number): number {
    return Math.max(0, this.#best[group] ?? 0);
  }
}

/** Making a term and giving it to an accumulator; so many units of its text more take a step. */
const STEPS_PER_TERM = 50;
const UNITS_PER_STEP = 8;

/** About what a part of GROUP_CONCAT takes besides its text. */
const PART_BYTES = 32;

/** Any aggregate, by the library's accumulators. */
class LibraryCollector implements Collector {
  readonly #aggregate: GroupAggregate;
  readonly #memory: MemoryBudget;
  readonly #groups: (Aggregate | undefined)[] = [];
  readonly #seen: RowSet | undefined;

  constructor(aggregate: GroupAggregate, memory: MemoryBudget) {
    this.#aggregate = aggregate;
    this.#memory = memory;
    this.#seen = aggregate.distinct ? new RowSet(2, memory) : undefined;
  }

  *add(execution: Execution, batch: Batch, ids: Uint32Array, { numbers }: GroupsOfRows): Generator<undefined, void> {
    const columns = [numbers, ids];
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen?.size;
      if (this.#seen !== undefined && this.#seen.add(columns, PAIR, row) !== before) continue;
      const term = ids[row] === UNBOUND ? undefined : execution.term(ids[row]);
      if (this.#aggregate.name === 'group_concat') execution.memory.take(PART_BYTES + 2 * (term?.value.length ?? 0));
      this.#of(numbers[row]).add(term);
      execution.work.note(STEPS_PER_TERM + (term?.value.length ?? 0) / UNITS_PER_STEP);
      if (execution.work.isDue()) yield undefined;
    }
  }

  #of(group: number): Aggregate {
    const known = this.#groups[group];
    if (known !== undefined) return known;
    this.#memory.take(AGGREGATE_BYTES);
    const aggregate = createAggregate(this.#aggregate.name, { separator: this.#aggregate.separator });
    this.#groups[group] = aggregate;
    return aggregate;
  }

  result(execution: Execution, group: number): number {
    try {
      return execution.idOf(this.#of(group).result());
    } catch (error) {
      return errorAs(error, UNBOUND);
    }
  }
}
