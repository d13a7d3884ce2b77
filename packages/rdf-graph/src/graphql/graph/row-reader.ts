import { PERMUTATION_COLUMNS, type PermutationId } from '../../store/permutation.ts';
import type { Range } from '../../store/range.ts';
import type { QuadIdsCallback } from '../../store/snapshot.ts';
import type { TermId } from '../../store/term-kind.ts';

/** Sorted rows of one graph that start with the same ids: one range per run of the store, the newest last. */
export interface Layers {
  readonly graph: TermId;
  readonly permutation: PermutationId;
  readonly ranges: readonly Range[];
}

/** Reads the visible rows of {@link Layers} in order, some at a time; a newer layer covers the rows of older ones. */
export interface RowReader {
  /** Looks at so many rows and calls back with those that are visible. Gives false when there are no more. */
  read(rows: number, visit: QuadIdsCallback): boolean;
}

/** @param permitted by label set 1 where it is visible */
export function createRowReader(layers: Layers, permitted: Uint8Array): RowReader {
  return layers.ranges.length === 1 ? new SingleReader(layers, permitted) : new LayeredReader(layers, permitted);
}

type Columns = readonly [subjects: Uint32Array, predicates: Uint32Array, objects: Uint32Array];

function columnsOf(permutation: PermutationId, { a, b, c }: Range): Columns {
  const columns = [a, b, c];
  const [first, second, third] = PERMUTATION_COLUMNS[permutation];
  columns[first] = a;
  columns[second] = b;
  columns[third] = c;
  return columns as unknown as Columns;
}

class SingleReader implements RowReader {
  readonly #layers: Layers;
  readonly #permitted: Uint8Array;
  #at: number;

  constructor(layers: Layers, permitted: Uint8Array) {
    this.#layers = layers;
    this.#permitted = permitted;
    this.#at = layers.ranges[0].start;
  }

  read(rows: number, visit: QuadIdsCallback): boolean {
    const { graph, permutation, ranges } = this.#layers;
    const range = ranges[0];
    const { sets, end } = range;
    const [subjects, predicates, objects] = columnsOf(permutation, range);
    const permitted = this.#permitted;
    const stop = Math.min(end, this.#at + rows);
    for (let i = this.#at; i < stop; i++) {
      if (sets === null || permitted[sets[i]] === 1) visit(subjects[i], predicates[i], objects[i], graph);
    }
    this.#at = stop;
    return stop < end;
  }
}

class LayeredReader implements RowReader {
  readonly #graph: TermId;
  readonly #ranges: readonly Range[];
  readonly #columns: readonly Columns[];
  readonly #permitted: Uint8Array;
  /** The next row of each layer. */
  readonly #at: Uint32Array;

  constructor({ graph, permutation, ranges }: Layers, permitted: Uint8Array) {
    this.#graph = graph;
    this.#ranges = ranges;
    this.#columns = ranges.map((range) => columnsOf(permutation, range));
    this.#permitted = permitted;
    this.#at = Uint32Array.from(ranges, ({ start }) => start);
  }

  read(rows: number, visit: QuadIdsCallback): boolean {
    for (let left = rows; left > 0; left--) {
      const newest = this.#takeLeast();
      if (newest < 0) return false;
      const { sets } = this.#ranges[newest];
      const row = this.#at[newest] - 1;
      if (sets !== null && this.#permitted[sets[row]] !== 1) continue;
      const columns = this.#columns[newest];
      visit(columns[0][row], columns[1][row], columns[2][row], this.#graph);
    }
    return true;
  }

  /** Steps over the least row in every layer that has it; gives the newest of these layers, or -1 at the end. */
  #takeLeast(): number {
    const ranges = this.#ranges;
    const at = this.#at;
    let least = -1;
    let isRepeated = false;
    for (let i = 0; i < ranges.length; i++) {
      if (at[i] >= ranges[i].end) continue;
      const order = least < 0 ? -1 : this.#compare(i, least);
      if (order > 0) continue;
      isRepeated = order === 0;
      least = i;
    }
    if (least < 0) return -1;
    if (isRepeated) this.#skipOlder(least);
    at[least]++;
    return least;
  }

  /** Steps over the row of a layer in the layers under it. */
  #skipOlder(layer: number): void {
    for (let i = 0; i < layer; i++) {
      if (this.#at[i] < this.#ranges[i].end && this.#compare(i, layer) === 0) this.#at[i]++;
    }
  }

  #compare(one: number, other: number): number {
    const left = this.#ranges[one];
    const right = this.#ranges[other];
    const i = this.#at[one];
    const j = this.#at[other];
    return left.a[i] - right.a[j] || left.b[i] - right.b[j] || left.c[i] - right.c[j];
  }
}
