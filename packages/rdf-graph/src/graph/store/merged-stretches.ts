import { cutRanges } from './cut-ranges.ts';
import { mergeRanges } from './merge-ranges.ts';
import { copyOf, copyRange, Range, sizeOf } from './range.ts';

/** Merged stretches at least this long are remembered. */
const REMEMBERED_ROWS = 512;

/** How many rows of merged stretches one snapshot remembers at most, but for a single longer one. */
const MAX_REMEMBERED_ROWS = 1 << 22;

/** How many rows are merged in one slice: a millisecond or two of work. */
export const SLICE_ROWS: number = 1 << 14;

/** The stretches that one snapshot merged from several runs: long ones are remembered. */
export class MergedStretches {
  readonly #permitted: Uint8Array;
  readonly #remembered = new Map<string, Range>();
  #rows = 0;

  constructor(permitted: Uint8Array) {
    this.#permitted = permitted;
  }

  /** Writes the remembered rows of a key into `range`; returns how many there are, -1 where none are remembered. */
  recall(range: Range, key: string): number {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return -1;
    copyRange(range, remembered);
    return range.end - range.start;
  }

  /** Writes the visible rows of stretches of the same prefix, oldest first, into `range`; returns how many there are. */
  merge(range: Range, found: readonly Range[], key: string): number {
    const rows = mergeRanges(range, found, this.#permitted);
    if (rows >= REMEMBERED_ROWS && this.#rows + rows <= MAX_REMEMBERED_ROWS) this.#remember(range, key);
    return rows;
  }

  /**
   * Writes the visible rows of stretches of the same prefix, oldest first, into `range`, one piece after the other: with
   * each it yields how many rows were merged, at most {@link SLICE_ROWS}. A piece that lies in one run is neither copied
   * nor filtered.
   */
  *pieces(range: Range, found: readonly Range[]): Generator<number, void> {
    for (const piece of cutRanges(found, SLICE_ROWS)) {
      if (piece.length === 1) {
        copyRange(range, piece[0]);
        yield 0;
      } else {
        mergeRanges(range, piece, this.#permitted);
        yield sizeOf(piece);
      }
    }
  }

  /** Like {@link merge}, in slices. The rows are remembered in any case, instead of those that have been longest. */
  *mergeInSlices(range: Range, found: readonly Range[], key: string): Generator<undefined, number> {
    const capacity = sizeOf(found);
    const merged = new Range();
    merged.a = new Uint32Array(capacity);
    merged.b = new Uint32Array(capacity);
    merged.c = new Uint32Array(capacity);
    const piece = new Range();
    for (const _ of this.pieces(piece, found)) {
      this.#append(merged, piece);
      yield;
    }
    this.#forgetFor(merged.end);
    this.#remember(merged, key);
    copyRange(range, merged);
    return merged.end;
  }

  #append(merged: Range, { a, b, c, sets, start, end }: Range): void {
    if (sets === null) {
      merged.a.set(a.subarray(start, end), merged.end);
      merged.b.set(b.subarray(start, end), merged.end);
      merged.c.set(c.subarray(start, end), merged.end);
      merged.end += end - start;
      return;
    }
    for (let i = start; i < end; i++) {
      if (this.#permitted[sets[i]] !== 1) continue;
      merged.a[merged.end] = a[i];
      merged.b[merged.end] = b[i];
      merged.c[merged.end++] = c[i];
    }
  }

  #remember(range: Range, key: string): void {
    this.#rows += range.end - (this.#remembered.get(key)?.end ?? 0);
    this.#remembered.set(key, copyOf(range));
  }

  #forgetFor(rows: number): void {
    for (const [key, { end }] of this.#remembered) {
      if (this.#rows + rows <= MAX_REMEMBERED_ROWS) return;
      this.#remembered.delete(key);
      this.#rows -= end;
    }
  }
}
