import { mergeRanges } from './merge-ranges.ts';
import { copyRange, Range } from './range.ts';

/** Merged stretches at least this long are remembered. */
const REMEMBERED_ROWS = 512;

/** How many rows of merged stretches one snapshot remembers at most. */
const MAX_REMEMBERED_ROWS = 1 << 22;

/** The stretches that one snapshot merged from several runs: long ones are remembered. */
export class MergedStretches {
  readonly #permitted: Uint8Array;
  readonly #remembered = new Map<string, Range>();
  #rows = 0;

  constructor(permitted: Uint8Array) {
    this.#permitted = permitted;
  }

  /** Writes the visible rows of stretches of the same key, oldest first, into `range`; returns how many there are. */
  merge(range: Range, found: readonly Range[], key: string): number {
    const remembered = this.#remembered.get(key);
    if (remembered !== undefined) {
      copyRange(range, remembered);
      return range.end - range.start;
    }
    const rows = mergeRanges(range, found, this.#permitted);
    if (rows >= REMEMBERED_ROWS && this.#rows + rows <= MAX_REMEMBERED_ROWS) {
      const kept = new Range();
      copyRange(kept, range);
      this.#remembered.set(key, kept);
      this.#rows += rows;
    }
    return rows;
  }
}
