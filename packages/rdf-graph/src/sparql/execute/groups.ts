import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Execution } from './execution.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { RowSet } from './row-set.ts';

/** Numbers the groups of GROUP BY in the order they come. */
export interface Groups {
  readonly size: number;
  number(keys: readonly Uint32Array[], rows: number): Uint32Array;
  key(group: number, index: number): TermId;
}

/** Groups by a number of keys; without keys there is one group, which is there without any row. */
export function createGroups(execution: Execution, keys: number): Groups {
  if (keys === 0) return ONE_GROUP;
  return keys === 1 ? groupsByKey(execution) : groupsByKeys(execution, keys);
}

const ONE_GROUP: Groups = {
  size: 1,
  number: (_keys, rows) => new Uint32Array(rows),
  key: () => UNBOUND,
};

function groupsByKey(execution: Execution): Groups {
  const index = new KeyIndex(execution.dictionary.size, execution.memory);
  return {
    get size() {
      return index.keys.length;
    },
    number([key], rows) {
      const numbers = new Uint32Array(rows);
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
const KEY_BYTES = 12;
const OTHER_BYTES = 64;

/** Numbers ids in the order they come, for GROUP BY one variable: an array where ids are the store's. */
export class KeyIndex {
  readonly #memory: MemoryBudget;
  readonly #numbers: Uint32Array;
  readonly #others = new Map<TermId, number>();
  readonly keys: TermId[] = [];

  /** `ids`: one past the largest id of the store. */
  constructor(ids: number, memory: MemoryBudget) {
    this.#memory = memory;
    this.#numbers = new Uint32Array(ids);
  }

  /** The number of an id, a new one when it was not seen before. */
  number(id: TermId): number {
    if (id >= this.#numbers.length) return this.#other(id);
    const known = this.#numbers[id];
    if (known !== 0) return known - 1;
    this.#memory.take(KEY_BYTES);
    this.keys.push(id);
    this.#numbers[id] = this.keys.length;
    return this.keys.length - 1;
  }

  #other(id: TermId): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    this.#memory.take(OTHER_BYTES);
    this.#others.set(id, this.keys.length);
    return this.keys.push(id) - 1;
  }
}
