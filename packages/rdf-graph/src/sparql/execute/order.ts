import type { Work } from '../functions/work.ts';
import { BATCH_ROWS, type Batch, type Plan, type Steps, takeRows } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import type { Execution } from './execution.ts';
import { type PreparedEvaluator, prepareAll } from './exists.ts';
import { collect } from './table.ts';

/** A key of ORDER BY. */
export interface SortKey {
  readonly expression: PreparedEvaluator;
  readonly descending: boolean;
}

/** ORDER BY: gathers every row and gives them sorted; equal rows keep their order. */
export class OrderPlan implements Plan {
  readonly #keys: readonly SortKey[];

  constructor(keys: readonly SortKey[]) {
    this.#keys = keys;
  }

  *run(x: Execution, input: Steps): Steps {
    const table = yield* collect(x, input);
    if (table.size === 0) return;
    yield* prepareAll(
      x,
      this.#keys.map(({ expression }) => expression),
      table,
    );
    const ranks: Uint32Array[] = [];
    for (const key of this.#keys) {
      ranks.push(yield* rankColumn(x, table, key));
    }
    const order = yield* sortRows(table.size, ranks);
    for (let start = 0; start < order.length; start += BATCH_ROWS) {
      const rows = order.subarray(start, start + BATCH_ROWS);
      yield takeRows(table, rows, rows.length);
    }
  }
}

/** What a key takes for each row: its rank, two columns to sort, and a place among the distinct ones. */
const ROW_BYTES = 60;

/** For each row a number that sorts as the key does. */
function* rankColumn(
  x: Execution,
  table: Batch,
  { expression, descending }: SortKey,
): Generator<undefined, Uint32Array> {
  x.memory.take(ROW_BYTES * table.size);
  const ids = new Uint32Array(table.size);
  const distinct = new Map<number, number>();
  for (let row = 0; row < table.size; row++) {
    x.beginSolution();
    const id = expression.evaluator.id(x, table, row);
    ids[row] = id;
    if (!distinct.has(id)) distinct.set(id, 0);
    if (x.work.isDue() || (row & 4095) === 4095) yield undefined;
  }
  const keys = [...distinct.keys()];
  yield undefined;
  const order = yield* sortRowsBy(keys.length, (a, b) => compareIds(x, keys[a], keys[b]), x.work);
  let rank = 0;
  for (let i = 0; i < order.length; i++) {
    if (i > 0 && compareIds(x, keys[order[i - 1]], keys[order[i]]) !== 0) rank++;
    distinct.set(keys[order[i]], descending ? 0xffff_ffff - rank : rank);
    if (x.work.isDue() || (i & ROWS_PER_PAUSE) === ROWS_PER_PAUSE) yield undefined;
  }
  for (let row = 0; row < ids.length; row++) {
    ids[row] = distinct.get(ids[row])!;
    if ((row & ROWS_PER_PAUSE) === ROWS_PER_PAUSE) yield undefined;
  }
  return ids;
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
    const first = at - (at % RUN_ROWS);
    let place = at;
    for (; place > first && compare(from[place - 1], at) > 0; place--) {
      from[place] = from[place - 1];
      if (work?.isDue()) yield undefined;
    }
    from[place] = at;
    if ((at & ROWS_PER_LOOK) === ROWS_PER_LOOK) yield undefined;
  }
  let to = new Uint32Array(size);
  for (let width = RUN_ROWS; width < size; width *= 2) {
    let start = 0;
    let left = 0;
    let right = Math.min(size, width);
    for (let at = 0; at < size; at++) {
      if (at === start + width * 2) {
        start = at;
        left = at;
        right = Math.min(size, at + width);
      }
      const takesLeft =
        left < Math.min(size, start + width) &&
        (right >= Math.min(size, start + width * 2) || compare(from[left], from[right]) <= 0);
      to[at] = takesLeft ? from[left++] : from[right++];
      if (work?.isDue() || (at & ROWS_PER_LOOK) === ROWS_PER_LOOK) yield undefined;
    }
    [from, to] = [to, from];
  }
  return from;
}
