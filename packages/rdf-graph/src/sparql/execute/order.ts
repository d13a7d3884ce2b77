import type { Work } from '../functions/work.ts';
import { BATCH_ROWS, type Batch, type Plan, planOf, type Steps, takeRows } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import type { Execution } from './execution.ts';
import { type PreparedEvaluator, prepareAll } from './exists.ts';
import { collect } from './table.ts';

export interface SortKey {
  readonly expression: PreparedEvaluator;
  readonly descending: boolean;
}

/** ORDER BY: gathers every row and gives them sorted; equal rows keep their order. */
export function orderBy(keys: readonly SortKey[]): Plan {
  const expressions = keys.map(({ expression }) => expression);
  return planOf(sortAll, { keys, expressions });
}

interface Sorting {
  readonly keys: readonly SortKey[];
  readonly expressions: readonly PreparedEvaluator[];
}

function* sortAll({ keys, expressions }: Sorting, execution: Execution, input: Steps): Steps {
  const table = yield* collect(execution, input);
  if (table.size === 0) return;
  yield* prepareAll(execution, expressions, table);
  const ranks: Uint32Array[] = [];
  for (const key of keys) ranks.push(yield* rankColumn(execution, table, key));
  const order = yield* sortRows(table.size, ranks);
  for (let start = 0; start < order.length; start += BATCH_ROWS) {
    const rows = order.subarray(start, start + BATCH_ROWS);
    yield takeRows(table, rows, rows.length);
  }
}

/** Memory of a key for each row: its rank, two columns to sort, and a place among the distinct ones. */
const ROW_BYTES = 60;

/** For each row a number that sorts as the key does. */
function* rankColumn(
  execution: Execution,
  table: Batch,
  { expression, descending }: SortKey,
): Generator<undefined, Uint32Array> {
  execution.memory.take(ROW_BYTES * table.size);
  const ids = new Uint32Array(table.size);
  const ranks = new Map<number, number>();
  for (let row = 0; row < table.size; row++) {
    execution.beginSolution();
    const id = expression.evaluator.id(execution, table, row);
    ids[row] = id;
    if (!ranks.has(id)) ranks.set(id, 0);
    if (execution.work.isDue() || (row & 4095) === 4095) yield undefined;
  }
  yield* rankIds(execution, ranks, descending);
  for (let row = 0; row < ids.length; row++) {
    ids[row] = ranks.get(ids[row]) ?? 0;
    if ((row & ROWS_PER_PAUSE) === ROWS_PER_PAUSE) yield undefined;
  }
  return ids;
}

/** Sets the rank of each id; equal values have one rank. */
function* rankIds(execution: Execution, ranks: Map<number, number>, descending: boolean): Generator<undefined, void> {
  const ids = [...ranks.keys()];
  yield undefined;
  const order = yield* sortRowsBy(ids.length, (a, b) => compareIds(execution, ids[a], ids[b]), execution.work);
  let rank = 0;
  for (let i = 0; i < order.length; i++) {
    if (i > 0 && compareIds(execution, ids[order[i - 1]], ids[order[i]]) !== 0) rank++;
    ranks.set(ids[order[i]], descending ? 0xffff_ffff - rank : rank);
    if (execution.work.isDue() || (i & ROWS_PER_PAUSE) === ROWS_PER_PAUSE) yield undefined;
  }
}

function sortRows(size: number, ranks: readonly Uint32Array[]): Generator<undefined, Uint32Array> {
  return sortRowsBy(size, (a, b) => {
    for (const rank of ranks) {
      const difference = rank[a] - rank[b];
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** A mask: rows that are compared between two pauses. */
const ROWS_PER_LOOK = 0x1fff;

/** A mask: rows between two pauses where each takes some nanoseconds. */
const ROWS_PER_PAUSE = 0xffff;

/** Rows that are sorted by insertion, and then merged. */
const RUN_ROWS = 8;

/** Merge sort of `0 .. size - 1` in slices; stable. `work` tells when comparing has taken long. */
export function* sortRowsBy(
  size: number,
  compare: (a: number, b: number) => number,
  work?: Work,
): Generator<undefined, Uint32Array> {
  let from = new Uint32Array(size);
  for (let i = 0; i < size; i++) from[i] = i;
  for (let at = 0; at < size; at++) {
    insert(from, at, compare);
    if (work?.isDue() || (at & ROWS_PER_LOOK) === ROWS_PER_LOOK) yield undefined;
  }
  let to = new Uint32Array(size);
  for (let width = RUN_ROWS; width < size; width *= 2) {
    const merge = new RunMerge(from, to, width, compare);
    while (merge.goOn(work)) yield undefined;
    [from, to] = [to, from];
  }
  return from;
}

function insert(rows: Uint32Array, at: number, compare: (a: number, b: number) => number): void {
  const first = at - (at % RUN_ROWS);
  let place = at;
  for (; place > first && compare(rows[place - 1], at) > 0; place--) rows[place] = rows[place - 1];
  rows[place] = at;
}

/**
 * Merges the runs of `from`, two by two, into `to`. Not part of the generator: Node 26.10 ends the process with "Check
 * failed: is_loadable()" when it compiles that loop with a `yield` in it.
 */
class RunMerge {
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  readonly #width: number;
  readonly #compare: (a: number, b: number) => number;
  #at = 0;
  #left = 0;

  constructor(from: Uint32Array, to: Uint32Array, width: number, compare: (a: number, b: number) => number) {
    this.#from = from;
    this.#to = to;
    this.#width = width;
    this.#compare = compare;
  }

  /** Merges some rows; false when all are. */
  goOn(work: Work | undefined): boolean {
    const [from, to, width, compare] = [this.#from, this.#to, this.#width, this.#compare];
    const size = from.length;
    const pause = this.#at + ROWS_PER_LOOK + 1;
    let at = this.#at;
    let left = this.#left;
    let isDue = false;
    while (at < size && at < pause && !isDue) {
      const start = at - (at % (width * 2));
      if (at === start) left = start;
      const middle = Math.min(size, start + width);
      const end = Math.min(size, middle + width);
      // As many as were taken in all, without those of the left run.
      let right = middle + (at - left);
      for (; at < end && at < pause && !isDue; at++) {
        const takesLeft = left < middle && (right >= end || compare(from[left], from[right]) <= 0);
        to[at] = takesLeft ? from[left++] : from[right++];
        isDue = work?.isDue() === true;
      }
    }
    this.#at = at;
    this.#left = left;
    return at < size;
  }
}
