import type * as RDF from '@rdfjs/types';
import { type Aggregate, type AggregateName, createAggregate } from '../functions/aggregate.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { type Batch, type Plan, type Steps, unitInput } from './batch.ts';
import { errorAs } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import { RowSet } from './row-set.ts';

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
    const groups = new RowSet(this.#keys.length);
    const collectors = this.#aggregates.map((aggregate) => createCollector(aggregate, this.#childSlots));
    const keySlots = this.#keys.map((_, i) => i);
    for (const batch of this.#child.run(x, unitInput())) {
      if (batch !== undefined) {
        yield* this.#prepare(x, batch);
        this.#add(x, batch, groups, keySlots, collectors);
      }
      yield undefined;
    }
    if (this.#keys.length === 0 && groups.size === 0) groups.add([], [], 0);
    yield this.#result(x, groups, collectors);
  }

  *#prepare(x: Execution, batch: Batch): Generator<undefined, void> {
    for (const { expression } of [...this.#keys, ...this.#aggregates]) {
      for (const test of expression?.exists ?? []) yield* test.prepare(x, batch);
    }
  }

  #add(
    x: Execution,
    batch: Batch,
    groups: RowSet,
    keySlots: readonly number[],
    collectors: readonly Collector[],
  ): void {
    const numbers = new Uint32Array(batch.size);
    if (this.#keys.length === 0) groups.add([], [], 0);
    else {
      const keys = this.#keys.map(({ expression }) => evaluateColumn(x, batch, expression));
      for (let row = 0; row < batch.size; row++) numbers[row] = groups.add(keys, keySlots, row);
    }
    for (const collector of collectors) collector.add(x, batch, numbers, groups.size);
  }

  #result(x: Execution, groups: RowSet, collectors: readonly Collector[]): Batch {
    const { size } = groups;
    const columns: (Uint32Array | undefined)[] = [];
    this.#keys.forEach(({ slot }, index) => {
      columns[slot] = Uint32Array.from({ length: size }, (_, number) => groups.value(number, index));
    });
    this.#aggregates.forEach(({ slot }, i) => {
      columns[slot] = Uint32Array.from({ length: size }, (_, number) => collectors[i]!.result(x, number));
    });
    return { size, columns };
  }
}

function evaluateColumn(x: Execution, batch: Batch, { evaluator }: PreparedEvaluator): Uint32Array {
  const column = new Uint32Array(batch.size);
  for (let row = 0; row < batch.size; row++) {
    x.beginSolution();
    column[row] = evaluator.id(x, batch, row);
  }
  return column;
}

/** Collects the values of one aggregate for every group. */
interface Collector {
  add(x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void;
  /** The id of the value of a group, 0 when it is an error. */
  result(x: Execution, group: number): number;
}

function createCollector(aggregate: GroupAggregate, childSlots: readonly number[]): Collector {
  if (aggregate.expression === undefined) {
    return aggregate.distinct ? new DistinctRowCounter(childSlots) : new RowCounter();
  }
  return new LibraryCollector(aggregate, aggregate.expression);
}

/** COUNT(*) */
class RowCounter implements Collector {
  #counts = new Float64Array(16);

  add(_x: Execution, batch: Batch, groups: Uint32Array, groupCount: number): void {
    if (groupCount > this.#counts.length) {
      const counts = new Float64Array(groupCount * 2);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    if (groupCount === 1) this.#counts[0]! += batch.size;
    else for (let row = 0; row < batch.size; row++) this.#counts[groups[row]!]!++;
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts[group] ?? 0));
  }
}

/** COUNT(DISTINCT *) */
class DistinctRowCounter implements Collector {
  readonly #slots: readonly number[];
  readonly #seen: RowSet;
  readonly #counts: number[] = [];

  constructor(slots: readonly number[]) {
    this.#slots = slots;
    this.#seen = new RowSet(slots.length + 1);
  }

  add(_x: Execution, batch: Batch, groups: Uint32Array): void {
    const columns = [groups, ...this.#slots.map((slot) => batch.columns[slot])];
    const slots = columns.map((_, i) => i);
    for (let row = 0; row < batch.size; row++) {
      const before = this.#seen.size;
      if (this.#seen.add(columns, slots, row) !== before) continue;
      this.#counts[groups[row]!] = (this.#counts[groups[row]!] ?? 0) + 1;
    }
  }

  result(x: Execution, group: number): number {
    return x.idOf(integerLiteral(this.#counts[group] ?? 0));
  }
}

/** Any aggregate, by the library's accumulators. */
class LibraryCollector implements Collector {
  readonly #aggregate: GroupAggregate;
  readonly #expression: PreparedEvaluator;
  readonly #groups: Aggregate[] = [];
  #seen: RowSet | undefined;

  constructor(aggregate: GroupAggregate, expression: PreparedEvaluator) {
    this.#aggregate = aggregate;
    this.#expression = expression;
    this.#seen = aggregate.distinct ? new RowSet(2) : undefined;
  }

  add(x: Execution, batch: Batch, groups: Uint32Array): void {
    const { evaluator } = this.#expression;
    for (let row = 0; row < batch.size; row++) {
      x.beginSolution();
      if (this.#seen !== undefined && !this.#isNew(x, batch, row, groups)) continue;
      let term: RDF.Term | undefined;
      try {
        term = evaluator.term(x, batch, row);
      } catch (error) {
        term = errorAs(error, undefined);
      }
      this.#of(groups[row]!).add(term);
    }
  }

  #isNew(x: Execution, batch: Batch, row: number, groups: Uint32Array): boolean {
    const seen = this.#seen!;
    const before = seen.size;
    const id = this.#expression.evaluator.id(x, batch, row);
    return seen.add([groups.subarray(row, row + 1), Uint32Array.of(id)], [0, 1], 0) === before;
  }

  #of(group: number): Aggregate {
    this.#groups[group] ??= createAggregate(this.#aggregate.name, { separator: this.#aggregate.separator });
    return this.#groups[group];
  }

  result(x: Execution, group: number): number {
    try {
      return x.idOf(this.#of(group).result());
    } catch (error) {
      return errorAs(error, 0);
    }
  }
}
