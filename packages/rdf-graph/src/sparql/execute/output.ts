import { BATCH_ROWS, type Batch } from './batch.ts';

/** Rows that an output begins with; 64 bytes, which engines keep beside the array itself. */
export const SMALL_ROWS = 16;

/** Collects rows that extend rows of an input batch by some new columns. */
export class Output {
  readonly #slots: readonly number[];
  readonly #kept: readonly number[];
  rows: Uint32Array;
  /** New columns, in the order of the slots given. */
  readonly values: Uint32Array[];
  size = 0;
  capacity: number;

  /** `kept`: the slots of the input that are wanted after this. */
  constructor(slots: readonly number[], kept: readonly number[], capacity: number = SMALL_ROWS) {
    this.#slots = slots;
    this.#kept = kept;
    this.capacity = capacity;
    this.rows = new Uint32Array(capacity);
    this.values = slots.map(() => new Uint32Array(capacity));
  }

  /** Makes room for at least one more row; false when the output is full and has to be taken first. */
  reserve(): boolean {
    if (this.size < this.capacity) return true;
    if (this.capacity >= BATCH_ROWS) return false;
    this.capacity = Math.min(BATCH_ROWS, this.capacity * 4);
    this.rows = grown(this.rows, this.capacity);
    for (let i = 0; i < this.values.length; i++) this.values[i] = grown(this.values[i], this.capacity);
    return true;
  }

  /** The rows so far as a batch; the output is empty afterwards. */
  take(input: Batch): Batch {
    const batch = this.finish(input);
    for (let i = 0; i < this.values.length; i++) this.values[i] = new Uint32Array(this.capacity);
    this.size = 0;
    return batch;
  }

  /** The rows so far as a batch; the output cannot be used afterwards. */
  finish(input: Batch): Batch {
    const { size } = this;
    const columns: (Uint32Array | undefined)[] = [];
    for (const slot of this.#kept) {
      const source = input.columns[slot];
      if (source === undefined) continue;
      const column = new Uint32Array(size);
      for (let i = 0; i < size; i++) column[i] = source[this.rows[i]];
      columns[slot] = column;
    }
    for (let i = 0; i < this.values.length; i++) {
      const values = this.values[i];
      // A view of so small an array costs more than a copy: its bytes would have to be moved to a buffer first.
      columns[this.#slots[i]] = this.capacity <= SMALL_ROWS ? values.slice(0, size) : values.subarray(0, size);
    }
    return { size, columns };
  }
}

function grown(source: Uint32Array, capacity: number): Uint32Array {
  const target = new Uint32Array(capacity);
  target.set(source);
  return target;
}
