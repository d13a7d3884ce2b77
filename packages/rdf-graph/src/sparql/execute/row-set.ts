import type { Columns } from './batch.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { hashRow, valueAt } from './table.ts';

/** Distinct rows of ids, numbered in the order they came. Cost of add: O(columns). */
export class RowSet {
  readonly #width: number;
  readonly #memory: MemoryBudget;
  #rows: Uint32Array;
  #slots: Uint32Array;
  #size = 0;

  constructor(width: number, memory: MemoryBudget) {
    this.#width = width;
    this.#memory = memory;
    memory.take((Math.max(1, width) * 64 + 256) * 4);
    this.#rows = new Uint32Array(Math.max(1, width) * 64);
    this.#slots = new Uint32Array(256);
  }

  get size(): number {
    return this.#size;
  }

  /** The id in column `index` of a kept row. */
  value(number: number, index: number): number {
    return this.#rows[number * this.#width + index];
  }

  /** The number of a row, kept when it is new: then it equals the size before. */
  add(columns: Columns, slots: readonly number[], row: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashRow(columns, slots, row) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (number < 0) break;
      if (this.#equals(number, columns, slots, row)) return number;
    }
    return this.#keep(columns, slots, row, slot);
  }

  /** Keeps a row; true when it is new. */
  admit(columns: Columns, slots: readonly number[], row: number): boolean {
    const before = this.#size;
    return this.add(columns, slots, row) === before;
  }

  #keep(columns: Columns, slots: readonly number[], row: number, slot: number): number {
    const number = this.#size++;
    const start = number * this.#width;
    if (start + this.#width > this.#rows.length) this.#growRows();
    for (let i = 0; i < slots.length; i++) this.#rows[start + i] = valueAt(columns, slots[i], row);
    this.#slots[slot] = number + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  #equals(number: number, columns: Columns, slots: readonly number[], row: number): boolean {
    const start = number * this.#width;
    for (let i = 0; i < slots.length; i++) {
      if (this.#rows[start + i] !== valueAt(columns, slots[i], row)) return false;
    }
    return true;
  }

  #growRows(): void {
    this.#memory.take(this.#rows.length * 4);
    const rows = new Uint32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  #rehash(): void {
    this.#memory.take(this.#slots.length * 4 + this.#size * this.#width * 4);
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    const columns = [...Array(this.#width).keys()].map((index) => this.#columnOf(index));
    const slots = columns.map((_, index) => index);
    for (let number = 0; number < this.#size; number++) {
      let slot = hashRow(columns, slots, number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
    this.#memory.release(this.#size * this.#width * 4);
  }

  #columnOf(index: number): Uint32Array {
    const column = new Uint32Array(this.#size);
    for (let number = 0; number < this.#size; number++) column[number] = this.value(number, index);
    return column;
  }
}
