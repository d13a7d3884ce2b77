import { type Batch, type Plan, planOf, type Steps, takeRows } from './batch.ts';
import { compareIds } from './compare-ids.ts';
import { VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { type PreparedEvaluator, prepareAll } from './exists.ts';
import { type SortKey, sortRowsBy } from './order.ts';

/** ORDER BY with a LIMIT: keeps only the first rows while it reads. Memory: O(limit). */
export function topK(keys: readonly SortKey[], limit: number): Plan {
  const expressions = keys.map(({ expression }) => expression);
  return planOf(keepBest, { keys, expressions, limit });
}

interface TopK {
  readonly keys: readonly SortKey[];
  readonly expressions: readonly PreparedEvaluator[];
  readonly limit: number;
}

function* keepBest({ keys, expressions, limit }: TopK, execution: Execution, input: Steps): Steps {
  const best = new Best(execution, keys, limit);
  for (const batch of input) {
    if (batch !== undefined) {
      yield* prepareAll(execution, expressions, batch);
      for (let row = 0; row < batch.size; ) {
        row = best.offer(batch, row);
        if (row < batch.size) yield undefined;
      }
    }
    yield undefined;
  }
  yield* best.take();
}

/** A row that may be among the first: its keys, and the row itself in a batch of its own. */
interface Entry {
  readonly keys: readonly number[];
  /** Earlier rows come first among equals. */
  readonly sequence: number;
  readonly row: Batch;
}

/** About what a kept row takes, and each of its columns. */
const ENTRY_BYTES = 200;
const COLUMN_BYTES = 120;

/** So few rows are sorted without a pause: to keep them took more comparisons. */
const SORTED_AT_ONCE = 256;

/** A heap of the first rows so far, the last of them on top. */
class Best {
  readonly #execution: Execution;
  readonly #keys: readonly SortKey[];
  readonly #limit: number;
  readonly #heap: Entry[] = [];
  /** True when the keys are variables, which take no work. */
  readonly #isPlain: boolean;
  #sequence = 0;

  constructor(execution: Execution, keys: readonly SortKey[], limit: number) {
    this.#execution = execution;
    this.#keys = keys;
    this.#limit = limit;
    this.#isPlain = keys.every(({ expression }) => expression.evaluator instanceof VariableEvaluator);
  }

  /** Takes rows from `start` on until others should have their turn; returns where to go on. */
  offer(batch: Batch, start: number): number {
    const { work } = this.#execution;
    const ids: number[] = new Array(this.#keys.length);
    for (let row = start; row < batch.size; row++) {
      const sequence = this.#sequence++;
      if (!this.#isPlain) this.#execution.beginSolution();
      if (this.#heap.length < this.#limit) {
        this.#execution.memory.take(ENTRY_BYTES + ids.length * 8 + batch.columns.length * COLUMN_BYTES);
        for (let key = 0; key < ids.length; key++) ids[key] = this.#id(batch, row, key);
        this.#push({ keys: ids.slice(), sequence, row: takeRows(batch, Uint32Array.of(row), 1) });
      } else if (this.#isBetter(batch, row, ids)) {
        this.#heap[0] = { keys: ids.slice(), sequence, row: takeRows(batch, Uint32Array.of(row), 1) };
        this.#sink();
      }
      if (work.isDue()) return row + 1;
    }
    return batch.size;
  }

  #id(batch: Batch, row: number, key: number): number {
    return this.#keys[key].expression.evaluator.id(this.#execution, batch, row);
  }

  /** Returns true if a row comes before the last kept one; fills in its keys when it does. */
  #isBetter(batch: Batch, row: number, ids: number[]): boolean {
    const worst = this.#heap[0];
    let order = 0;
    for (let key = 0; key < ids.length; key++) {
      ids[key] = this.#id(batch, row, key);
      if (order !== 0) continue;
      order = this.#compareKey(key, ids[key], worst.keys[key]);
      if (order > 0) return false;
    }
    return order < 0;
  }

  #compareKey(key: number, a: number, b: number): number {
    const order = compareIds(this.#execution, a, b);
    return this.#keys[key].descending ? -order : order;
  }

  #compare(a: Entry, b: Entry): number {
    for (let key = 0; key < this.#keys.length; key++) {
      const order = this.#compareKey(key, a.keys[key], b.keys[key]);
      if (order !== 0) return order;
    }
    return a.sequence - b.sequence;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#compare(heap[at], heap[parent]) <= 0) break;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let last = at;
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < heap.length && this.#compare(heap[child], heap[last]) > 0) last = child;
      }
      if (last === at) return;
      [heap[at], heap[last]] = [heap[last], heap[at]];
      at = last;
    }
  }

  *#sorted(): Generator<undefined, readonly Entry[]> {
    const heap = this.#heap;
    if (heap.length <= SORTED_AT_ONCE) return heap.sort((a, b) => this.#compare(a, b));
    const order = yield* sortRowsBy(heap.length, (a, b) => this.#compare(heap[a], heap[b]), this.#execution.work);
    return Array.from(order, (at) => heap[at]);
  }

  /** The kept rows in order, as one batch. */
  *take(): Steps {
    const entries = yield* this.#sorted();
    const columns: (Uint32Array | undefined)[] = [];
    entries.forEach(({ row }, at) => {
      row.columns.forEach((source, slot) => {
        if (source === undefined) return;
        const column = columns[slot] ?? new Uint32Array(entries.length);
        column[at] = source[0];
        columns[slot] = column;
      });
    });
    if (entries.length > 0) yield { size: entries.length, columns };
  }
}
