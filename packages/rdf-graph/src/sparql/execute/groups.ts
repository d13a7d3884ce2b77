import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Execution } from './execution.ts';
import { KeyIndex } from './key-index.ts';
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
