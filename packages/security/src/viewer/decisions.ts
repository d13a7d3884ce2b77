/** A table that gives out dense ids for labels or label sets. */
interface SizedTable {
  readonly size: number;
}

interface Decided {
  /** 1 permits, 0 denies; entries from `count` on are 0. */
  array: Uint8Array;
  count: number;
}

const SMALLEST = 64;

/** Decisions of one viewer by id, one growing array per table; each id is decided once. */
export class Decisions<Table extends SizedTable> {
  readonly #tables = new WeakMap<Table, Decided>();
  readonly #decide: (table: Table, id: number) => boolean;

  constructor(decide: (table: Table, id: number) => boolean) {
    this.#decide = decide;
  }

  /** Returns the decisions of a table, after deciding those added since the last call. Cost: O(added). */
  of(table: Table): Uint8Array {
    const decided = this.#decidedOf(table);
    const { size } = table;
    if (decided.count === size) return decided.array;
    if (decided.array.length < size) decided.array = grown(decided.array, size);
    for (; decided.count < size; decided.count++) {
      if (this.#decide(table, decided.count)) decided.array[decided.count] = 1;
    }
    return decided.array;
  }

  #decidedOf(table: Table): Decided {
    let decided = this.#tables.get(table);
    if (decided === undefined) {
      decided = { array: new Uint8Array(Math.max(SMALLEST, table.size)), count: 0 };
      this.#tables.set(table, decided);
    }
    return decided;
  }
}

function grown(array: Uint8Array, size: number): Uint8Array {
  const larger = new Uint8Array(Math.max(size, array.length * 2));
  larger.set(array);
  return larger;
}
