import type { GraphRows, QuadIdsCallback, RowCursor } from '../port/graph-reader.ts';
import type { TermId } from '../port/term-kind.ts';
import { columnsOf } from './pattern-order.ts';
import type { PermutationId } from './permutation.ts';
import { compareRows, type Range, sizeOf } from './range.ts';

/** Sorted rows of one graph that start with the same ids. They are merged while they are read: nothing is copied. */
export class LayeredRows implements GraphRows {
  readonly size: number;
  readonly graph: TermId;
  readonly permutation: PermutationId;
  /** One range per run of the store that has rows, the newest last: it covers the rows of older ones. */
  readonly ranges: readonly Range[];
  /** By label set 1 where it is visible. */
  readonly permitted: Uint8Array;

  constructor(graph: TermId, permutation: PermutationId, ranges: readonly Range[], permitted: Uint8Array) {
    this.size = sizeOf(ranges);
    this.graph = graph;
    this.permutation = permutation;
    this.ranges = ranges;
    this.permitted = permitted;
  }

  open(): RowCursor {
    return this.ranges.length === 1 ? new SingleCursor(this) : new LayeredCursor(this);
  }
}

class SingleCursor implements RowCursor {
  readonly #rows: LayeredRows;
  #at: number;

  constructor(rows: LayeredRows) {
    this.#rows = rows;
    this.#at = rows.ranges[0].start;
  }

  read(rows: number, visit: QuadIdsCallback): boolean {
    const { graph, permutation, ranges, permitted } = this.#rows;
    const range = ranges[0];
    const { sets, end } = range;
    const [subjects, predicates, objects] = columnsOf(permutation, range);
    const stop = Math.min(end, this.#at + rows);
    for (let i = this.#at; i < stop; i++) {
      if (sets === null || permitted[sets[i]] === 1) visit(subjects[i], predicates[i], objects[i], graph);
    }
    this.#at = stop;
    return stop < end;
  }
}

class LayeredCursor implements RowCursor {
  readonly #rows: LayeredRows;
  readonly #columns: readonly (readonly [Uint32Array, Uint32Array, Uint32Array])[];
  /** The next row of each layer. */
  readonly #at: Uint32Array;

  constructor(rows: LayeredRows) {
    this.#rows = rows;
    this.#columns = rows.ranges.map((range) => columnsOf(rows.permutation, range));
    this.#at = Uint32Array.from(rows.ranges, ({ start }) => start);
  }

  read(rows: number, visit: QuadIdsCallback): boolean {
    const { graph, ranges, permitted } = this.#rows;
    for (let left = rows; left > 0; left--) {
      const newest = this.#takeLeast();
      if (newest < 0) return false;
      const { sets } = ranges[newest];
      const row = this.#at[newest] - 1;
      if (sets !== null && permitted[sets[row]] !== 1) continue;
      const columns = this.#columns[newest];
      visit(columns[0][row], columns[1][row], columns[2][row], graph);
    }
    return true;
  }

  /** Steps over the least row in every layer that has it; gives the newest of these layers, or -1 at the end. */
  #takeLeast(): number {
    const { ranges } = this.#rows;
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
    const { ranges } = this.#rows;
    for (let i = 0; i < layer; i++) {
      if (this.#at[i] < ranges[i].end && this.#compare(i, layer) === 0) this.#at[i]++;
    }
  }

  #compare(one: number, other: number): number {
    const { ranges } = this.#rows;
    return compareRows(ranges[one], this.#at[one], ranges[other], this.#at[other]);
  }
}
