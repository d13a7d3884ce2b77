import type * as RDF from '@rdfjs/types';
import { UNBOUND } from '../../store/term-kind.ts';
import { type Aggregate, createAggregate } from '../functions/aggregate.ts';
import { divide } from '../functions/arithmetic.ts';
import { integerLiteral, integerValue, numericLiteral } from '../functions/numeric.ts';
import { toNumeric } from '../functions/value.ts';
import type { Batch } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import { errorAs } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { GroupAggregate } from './group.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { NumberKind } from './number-cache.ts';
import { RowSet } from './row-set.ts';

/** Collects the values of one aggregate for every group. */
export interface Collector {
  /** `ids` are the values of the expression in the rows of the batch, 0 where it has none. In slices where texts are long. */
  add(x: Execution, batch: Batch, ids: Uint32Array, groups: GroupsOfRows): Generator<undefined, void> | undefined;
  /** The id of the value of a group, 0 when it is an error. */
  result(x: Execution, group: number): number;
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
    return distinct ? new DistinctRowCounter(childSlots, memory) : new RowCounter(memory);
  }
  if (name === 'count') return distinct ? new DistinctValueCounter(memory) : new ValueCounter(memory);
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

/** COUNT(*) */
class RowCounter implements Collector {
  readonly #counts: GroupNumbers;

  constructor(memory: MemoryBudget) {
    this.#counts = new GroupNumbers(memory);
  }

  add(_x: Execution, batch: Batch, _ids: Uint32Array, { numbers, size }: GroupsOfRows): undefined {
    const counts = this.#counts.reserve(size);
    if (size === 1) counts[0] += batch.size;
    else for (let row = 0; row < batch.size; row++) counts[numbers[row]]++;
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** COUNT of an expression: the rows in which it has a value. */
class ValueCounter implements Collector {
  readonly #counts: GroupNumbers;

  constructor(memory: MemoryBudget) {
    this.#counts = new GroupNumbers(memory);
  }

  add(_x: Execution, batch: Batch, ids: Uint32Array, { numbers, size }: GroupsOfRows): undefined {
    const counts = this.#counts.reserve(size);
    for (let row = 0; row < batch.size; row++) if (ids[row] !== UNBOUND) counts[numbers[row]]++;
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** COUNT(DISTINCT ...) of an expression. */
class DistinctValueCounter implements Collector {
  readonly #seen: RowSet;
  readonly #counts: GroupNumbers;

  constructor(memory: MemoryBudget) {
    this.#seen = new RowSet(2, memory);
    this.#counts = new GroupNumbers(memory);
  }

  add(_x: Execution, batch: Batch, ids: Uint32Array, { numbers, size }: GroupsOfRows): undefined {
    const counts = this.#counts.reserve(size);
    const columns = [numbers, ids];
    for (let row = 0; row < batch.size; row++) {
      if (ids[row] === UNBOUND) continue;
      const before = this.#seen.size;
      if (this.#seen.add(columns, PAIR, row) === before) counts[numbers[row]]++;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** The columns of a group and a value. */
const PAIR = [0, 1];

/** COUNT(DISTINCT *) */
class DistinctRowCounter implements Collector {
  readonly #slots: readonly number[];
  readonly #seen: RowSet;
  readonly #counts: GroupNumbers;

  constructor(slots: readonly number[], memory: MemoryBudget) {
    this.#slots = slots;
    this.#counts = new GroupNumbers(memory);
    this.#seen = new RowSet(slots.length + 1, memory);
  }

  add(_x: Execution, batch: Batch, _ids: Uint32Array, { numbers, size }: GroupsOfRows): undefined {
    const counts = this.#counts.reserve(size);
    const columns = [numbers, ...this.#slots.map((slot) => batch.columns[slot])];
    const slots = columns.map((_, i) => i);
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen.size;
      if (this.#seen.add(columns, slots, row) === before) counts[numbers[row]]++;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
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

  add(x: Execution, batch: Batch, ids: Uint32Array, { numbers, size }: GroupsOfRows): undefined {
    const sums = this.#sums.reserve(size);
    const counts = this.#counts.reserve(size);
    for (let row = 0; row < batch.size; row++) {
      const group = numbers[row];
      const id = ids[row];
      counts[group]++;
      if (id !== UNBOUND && x.numbers.kind(id) === NumberKind.integer) {
        sums[group] += x.numbers.value(id);
        if (Math.abs(sums[group]) > EXACT_SUM) this.#spill(group);
      } else this.#other(group).add(id === UNBOUND ? undefined : x.term(id));
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

  result(x: Execution, group: number): number {
    try {
      const sum = this.#sum(group);
      if (!this.#isAverage) return x.idOf(sum);
      const count = this.#counts.values[group] ?? 0;
      const average = count === 0 ? integerValue(0) : divide(toNumeric(sum)!, integerValue(count));
      return x.idOf(numericLiteral(average));
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

  *add(x: Execution, batch: Batch, ids: Uint32Array, { numbers, size }: GroupsOfRows): Generator<undefined, void> {
    if (size > this.#best.length) this.#memory.take((size - this.#best.length) * 16);
    for (let row = 0; row < batch.size; row++) {
      const group = numbers[row];
      const id = ids[row];
      const best = this.#best[group];
      if (id === UNBOUND) this.#best[group] = -1;
      else if (best === undefined || (best >= 0 && compareIds(x, id, best) * this.#sign < 0)) this.#best[group] = id;
      if (x.work.isDue()) yield undefined;
    }
  }

  result(_x: Execution, group: number): number {
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

  *add(x: Execution, batch: Batch, ids: Uint32Array, { numbers }: GroupsOfRows): Generator<undefined, void> {
    const columns = [numbers, ids];
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen?.size;
      if (this.#seen !== undefined && this.#seen.add(columns, PAIR, row) !== before) continue;
      const term = ids[row] === UNBOUND ? undefined : x.term(ids[row]);
      if (this.#aggregate.name === 'group_concat') x.memory.take(PART_BYTES + 2 * (term?.value.length ?? 0));
      this.#of(numbers[row]).add(term);
      x.work.note(STEPS_PER_TERM + (term?.value.length ?? 0) / UNITS_PER_STEP);
      if (x.work.isDue()) yield undefined;
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

  result(x: Execution, group: number): number {
    try {
      return x.idOf(this.#of(group).result());
    } catch (error) {
      return errorAs(error, UNBOUND);
    }
  }
}
