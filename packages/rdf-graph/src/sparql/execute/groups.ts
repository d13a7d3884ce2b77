import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { BATCH_ROWS } from './batch.ts';
import type { Execution } from './execution.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { RowSet } from './row-set.ts';

/** Numbers the groups of GROUP BY in the order they come. */
export interface Groups {
  readonly size: number;
  /** The group of each row; holds until it is asked again. */
  number(keys: readonly Uint32Array[], rows: number): Uint32Array;
  key(group: number, index: number): TermId;
}

/** Groups by a number of keys; without keys there is one group, which is there without any row. */
export function createGroups(execution: Execution, keys: number): Groups {
  if (keys === 0) return ONE_GROUP;
  return keys === 1 ? groupsByKey(execution) : groupsByKeys(execution, keys);
}

/** Rows for which the numbers of one group are kept: 4 MB. */
const MAX_KEPT_ROWS = 1 << 20;

/** The group of each row where there is one group; never written to, and exchanged when a longer batch comes. */
let zeros = new Uint32Array(BATCH_ROWS);

const ONE_GROUP: Groups = {
  size: 1,
  number(_keys, rows) {
    if (rows > MAX_KEPT_ROWS) return new Uint32Array(rows);
    if (rows > zeros.length) zeros = new Uint32Array(rows);
    return zeros;
  },
  key: () => UNBOUND,
};

function groupsByKey(execution: Execution): Groups {
  const index = new KeyIndex(execution.dictionary.size, execution.memory);
  let numbers = new Uint32Array(0);
  return {
    get size() {
      return index.keys.length;
    },
    number([key], rows) {
      if (rows > numbers.length) numbers = new Uint32Array(rows);
      for (let row = 0; row < rows; row++) numbers[row] = index.number(key[row]);
      return numbers;
    },
    key: (group) => index.keys[group],
  };
}

function groupsByKeys(execution: Execution, keys: number): Groups {
  const found = new RowSet(keys, execution.memory);
  const slots = Array.from({ length: keys }, (_, i) => i);
  return {
    get size() {
      return found.size;
    },
    number(columns, rows) {
      const numbers = new Uint32Array(rows);
      for (let row = 0; row < rows; row++) numbers[row] = found.add(columns, slots, row);
      return numbers;
    },
    key: (group, index) => found.value(group, index),
  };
}

/** About what a key takes; one that the store does not hold is in a map. */
const KEY_BYTES = 8;
const OTHER_BYTES = 64;

/** Ids that lie side by side: few groups take few pages, whatever else the store holds. */
const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/** Numbers ids in the order they come, for GROUP BY one variable: pages of an array where ids are the store's. */
export class KeyIndex {
  readonly #ids: number;
  readonly #memory: MemoryBudget;
  /** The numbers of ids plus one, 0 where an id was not seen; `undefined` where none of a page was. */
  readonly #pages: (Uint32Array | undefined)[] = [];
  readonly #others = new Map<TermId, number>();
  readonly keys: TermId[] = [];

  /** `ids`: one past the largest id of the store. */
  constructor(ids: number, memory: MemoryBudget) {
    this.#ids = ids;
    this.#memory = memory;
  }

  /** The number of an id, a new one when it was not seen before. */
  number(id: TermId): number {
    if (id >= this.#ids) return this.#other(id);
    const page = this.#pages[id >>> PAGE_BITS] ?? this.#newPage(id >>> PAGE_BITS);
    const known = page[id & PAGE_MASK];
    if (known !== 0) return known - 1;
    this.#memory.take(KEY_BYTES);
    this.keys.push(id);
    page[id & PAGE_MASK] = this.keys.length;
    return this.keys.length - 1;
  }

  #newPage(at: number): Uint32Array {
    this.#memory.take(4 * PAGE_SIZE);
    const page = new Uint32Array(PAGE_SIZE);
    this.#pages[at] = page;
    return page;
  }

  #other(id: TermId): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    this.#memory.take(OTHER_BYTES);
    this.#others.set(id, this.keys.length);
    return this.keys.push(id) - 1;
  }
}
