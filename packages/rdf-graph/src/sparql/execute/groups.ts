import type { TermId } from '../../store/term-kind.ts';
import type { Execution } from './execution.ts';
import { KeyIndex } from './key-index.ts';
import { RowSet } from './row-set.ts';

/** Numbers the groups of GROUP BY in the order they come. */
export interface Groups {
  readonly size: number;
  /** The number of each row's group, by the columns of the keys. */
  number(keys: readonly Uint32Array[], rows: number): Uint32Array;
  /** The id of a key of a group. */
  key(group: number, index: number): TermId;
}

/** Groups by a number of keys; without keys there is one group, which is there without any row. */
export function createGroups(x: Execution, keys: number): Groups {
  if (keys === 0) return new OneGroup();
  return keys === 1 ? new GroupsByKey(x) : new GroupsByKeys(x, keys);
}

class OneGroup implements Groups {
  readonly size = 1;

  number(_keys: readonly Uint32Array[], rows: number): Uint32Array {
    return new Uint32Array(rows);
  }

  key(): TermId {
    return 0;
  }
}

class GroupsByKey implements Groups {
  readonly #index: KeyIndex;

  constructor(x: Execution) {
    this.#index = new KeyIndex(x.dictionary.size, x.memory);
  }

  get size(): number {
    return this.#index.keys.length;
  }

  number([key]: readonly Uint32Array[], rows: number): Uint32Array {
    const numbers = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) numbers[row] = this.#index.number(key[row]);
    return numbers;
  }

  key(group: number): TermId {
    return this.#index.keys[group];
  }
}

class GroupsByKeys implements Groups {
  readonly #rows: RowSet;
  readonly #slots: readonly number[];

  constructor(x: Execution, keys: number) {
    this.#rows = new RowSet(keys, x.memory);
    this.#slots = Array.from({ length: keys }, (_, i) => i);
  }

  get size(): number {
    return this.#rows.size;
  }

  number(keys: readonly Uint32Array[], rows: number): Uint32Array {
    const numbers = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) numbers[row] = this.#rows.add(keys, this.#slots, row);
    return numbers;
  }

  key(group: number, index: number): TermId {
    return this.#rows.value(group, index);
  }
}
