import type * as RDF from '@rdfjs/types';
import { UNBOUND } from '../../store/term-kind.ts';
import { type Aggregate, createAggregate } from '../functions/aggregate.ts';
import { divide } from '../functions/arithmetic.ts';
import { integerLiteral, integerValue, numericLiteral } from '../functions/numeric.ts';
import { toNumeric } from '../functions/value.ts';
import type { Batch } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import { type Evaluator, errorAs } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { GroupAggregate } from './group.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { NumberKind } from './number-cache.ts';
import { RowSet } from './row-set.ts';

/** Collects the values of one aggregate for every group. */
export interface Collector {
  /** `groups` holds the number of each row's group, below `groupCount`. */
  add(x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void;
  /** The id of the value of a group, 0 when it is an error. */
  result(x: Execution, group: number): number;
}

/** The collector of an aggregate; `childSlots` are the variables that COUNT(DISTINCT *) looks at. */
export function createCollector(
  aggregate: GroupAggregate,
  childSlots: readonly number[],
  memory: MemoryBudget,
): Collector {
  const { name, distinct, expression } = aggregate;
  if (expression === undefined) return distinct ? new DistinctRowCounter(childSlots, memory) : new RowCounter();
  const { evaluator } = expression;
  if (name === 'count') return distinct ? new DistinctValueCounter(evaluator, memory) : new ValueCounter(evaluator);
  if (name === 'min' || name === 'max') return new ExtremeCollector(evaluator, name === 'max');
  if (!distinct && (name === 'sum' || name === 'avg')) return new SumCollector(evaluator, name === 'avg');
  return new LibraryCollector(aggregate, evaluator, memory);
}

/** Numbers by group, 0 at first. */
class GroupNumbers {
  values: Float64Array = new Float64Array(16);

  reserve(groups: number): Float64Array {
    if (groups > this.values.length) {
      const values = new Float64Array(groups * 2);
      values.set(this.values);
      this.values = values;
    }
    return this.values;
  }
}

/** COUNT(*) */
class RowCounter implements Collector {
  readonly #counts = new GroupNumbers();

  add(_x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    const counts = this.#counts.reserve(groupCount);
    if (groupCount === 1) counts[0]! += batch.size;
    else for (let row = 0; row < batch.size; row++) counts[groups[row]!]!++;
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** COUNT of an expression: the rows in which it has a value. */
class ValueCounter implements Collector {
  readonly #evaluator: Evaluator;
  readonly #counts = new GroupNumbers();

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
  }

  add(x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    const counts = this.#counts.reserve(groupCount);
    for (let row = 0; row < batch.size; row++) {
      x.beginSolution();
      if (this.#evaluator.id(x, batch, row) !== UNBOUND) counts[groups[row]!]!++;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** COUNT(DISTINCT ...) of an expression. */
class DistinctValueCounter implements Collector {
  readonly #evaluator: Evaluator;
  readonly #seen: RowSet;
  readonly #counts = new GroupNumbers();

  constructor(evaluator: Evaluator, memory: MemoryBudget) {
    this.#evaluator = evaluator;
    this.#seen = new RowSet(2, memory);
  }

  add(x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    const counts = this.#counts.reserve(groupCount);
    const ids = idsOf(x, this.#evaluator, batch);
    for (let row = 0; row < batch.size; row++) {
      if (ids[row] === UNBOUND) continue;
      const before = this.#seen.size;
      if (this.#seen.add([groups, ids], [0, 1], row) === before) counts[groups[row]!]!++;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

function idsOf(x: Execution, evaluator: Evaluator, batch: Batch): Uint32Array {
  const ids = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) {
    x.beginSolution();
    ids[row] = evaluator.id(x, batch, row);
  }
  return ids;
}

/** COUNT(DISTINCT *) */
class DistinctRowCounter implements Collector {
  readonly #slots: readonly number[];
  readonly #seen: RowSet;
  readonly #counts = new GroupNumbers();

  constructor(slots: readonly number[], memory: MemoryBudget) {
    this.#slots = slots;
    this.#seen = new RowSet(slots.length + 1, memory);
  }

  add(_x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    const counts = this.#counts.reserve(groupCount);
    const columns = [groups, ...this.#slots.map((slot) => batch.columns[slot])];
    const slots = columns.map((_, i) => i);
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen.size;
      if (this.#seen.add(columns, slots, row) === before) counts[groups[row]!]!++;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts.values[group] ?? 0));
  }
}

/** Sums of doubles stay exact for integers below this. */
const EXACT_SUM = 2 ** 52;

/** SUM and AVG: small integers as doubles, everything else by the library. */
class SumCollector implements Collector {
  readonly #evaluator: Evaluator;
  readonly #isAverage: boolean;
  readonly #sums = new GroupNumbers();
  readonly #counts = new GroupNumbers();
  readonly #others: (Aggregate | undefined)[] = [];

  constructor(evaluator: Evaluator, isAverage: boolean) {
    this.#evaluator = evaluator;
    this.#isAverage = isAverage;
  }

  add(x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    const sums = this.#sums.reserve(groupCount);
    const counts = this.#counts.reserve(groupCount);
    for (let row = 0; row < batch.size; row++) {
      x.beginSolution();
      const group = groups[row]!;
      const id = this.#evaluator.id(x, batch, row);
      counts[group]!++;
      if (id !== UNBOUND && x.numbers.kind(id) === NumberKind.integer) {
        sums[group]! += x.numbers.value(id);
        if (Math.abs(sums[group]!) > EXACT_SUM) this.#spill(group);
      } else this.#other(group).add(id === UNBOUND ? undefined : x.term(id));
    }
  }

  #other(group: number): Aggregate {
    const known = this.#others[group] ?? createAggregate('sum');
    this.#others[group] = known;
    return known;
  }

  #spill(group: number): void {
    const sums = this.#sums.values;
    this.#other(group).add(integerLiteral(sums[group]!));
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
  readonly #evaluator: Evaluator;
  readonly #sign: number;
  /** The best id per group; -1 after an error. */
  readonly #best: number[] = [];

  constructor(evaluator: Evaluator, isMaximum: boolean) {
    this.#evaluator = evaluator;
    this.#sign = isMaximum ? -1 : 1;
  }

  add(x: Execution, batch: Batch, groups: Uint32Array): void {
    for (let row = 0; row < batch.size; row++) {
      x.beginSolution();
      const group = groups[row]!;
      const id = this.#evaluator.id(x, batch, row);
      const best = this.#best[group];
      if (id === UNBOUND) this.#best[group] = -1;
      else if (best === undefined || (best >= 0 && compareIds(x, id, best) * this.#sign < 0)) this.#best[group] = id;
    }
  }

  result(_x: Execution, group: number): number {
    return Math.max(0, this.#best[group] ?? 0);
  }
}

/** Any aggregate, by the library's accumulators. */
class LibraryCollector implements Collector {
  readonly #aggregate: GroupAggregate;
  readonly #evaluator: Evaluator;
  readonly #groups: (Aggregate | undefined)[] = [];
  readonly #seen: RowSet | undefined;

  constructor(aggregate: GroupAggregate, evaluator: Evaluator, memory: MemoryBudget) {
    this.#aggregate = aggregate;
    this.#evaluator = evaluator;
    this.#seen = aggregate.distinct ? new RowSet(2, memory) : undefined;
  }

  add(x: Execution, batch: Batch, groups: Uint32Array): void {
    const ids = idsOf(x, this.#evaluator, batch);
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen?.size;
      if (this.#seen !== undefined && this.#seen.add([groups, ids], [0, 1], row) !== before) continue;
      const term = ids[row] === UNBOUND ? undefined : x.term(ids[row]!);
      if (this.#aggregate.name === 'group_concat') x.memory.take(2 * (term?.value.length ?? 0));
      this.#of(groups[row]!).add(term);
    }
  }

  #of(group: number): Aggregate {
    const known =
      this.#groups[group] ?? createAggregate(this.#aggregate.name, { separator: this.#aggregate.separator });
    this.#groups[group] = known;
    return known;
  }

  result(x: Execution, group: number): number {
    try {
      return x.idOf(this.#of(group).result());
    } catch (error) {
      return errorAs(error, UNBOUND);
    }
  }
}
