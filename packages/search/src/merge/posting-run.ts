import { BlockReader } from '../postings/block-reader.ts';
import { PositionReader } from '../postings/positions.ts';
import type { Space } from '../segment/segment.ts';
import type { TermDictionary } from '../segment/term-dictionary.ts';

/** The slot of a run that has ended: higher than any. */
export const NO_SLOT = 0xffffffff;

/** Walks the terms of one space that is merged and, of the current term, the live postings under their new numbers. */
export class PostingRun {
  readonly terms: TermDictionary;
  /** The current term; the size of the dictionary behind the last. */
  ordinal = 0;
  /** The current posting's slot in the merged space, ascending; {@link NO_SLOT} behind the last. */
  slot: number = NO_SLOT;
  frequency = 0;
  /** Where the current posting's positions are in `positionBytes`. */
  positionStart = 0;
  positionEnd = 0;
  readonly positionBytes: Uint8Array;
  /** The merged ordinal of each term that was opened. */
  readonly newOrdinals: Uint32Array;
  readonly #space: Space;
  readonly #renumbered: Int32Array;
  readonly #reader = new BlockReader();
  readonly #positions: PositionReader | undefined;
  #block = 0;
  #at = 0;

  constructor(space: Space, renumbered: Int32Array, withPositions: boolean) {
    this.#space = space;
    this.terms = space.terms;
    this.newOrdinals = new Uint32Array(space.terms.size);
    this.#renumbered = renumbered;
    this.positionBytes = space.blocks.positions;
    this.#positions = withPositions ? new PositionReader(this.positionBytes) : undefined;
  }

  /** Goes to the first live posting of the current term, whose merged ordinal is `newOrdinal`. */
  open(newOrdinal: number): void {
    this.newOrdinals[this.ordinal] = newOrdinal;
    this.#block = this.#space.blocks.ofTerm[this.ordinal] - 1;
    this.#at = 0;
    this.#reader.count = 0;
    this.next();
  }

  /** Steps to the next live posting of the current term. */
  next(): void {
    const reader = this.#reader;
    const renumbered = this.#renumbered;
    const positions = this.#positions;
    while (this.#at < reader.count || this.#openNextBlock()) {
      this.slot = renumbered[reader.slots[this.#at]];
      this.frequency = reader.frequencies[this.#at++];
      if (positions !== undefined) {
        this.positionStart = positions.offset;
        positions.skip(this.frequency);
        this.positionEnd = positions.offset;
      }
      if (this.slot >= 0) return;
    }
    this.slot = NO_SLOT;
  }

  #openNextBlock(): boolean {
    const { blocks } = this.#space;
    if (++this.#block >= blocks.ofTerm[this.ordinal + 1]) return false;
    this.#reader.read(this.#space, this.#block, blocks.ofTerm[this.ordinal]);
    if (this.#positions !== undefined) this.#positions.offset = blocks.positionOffset[this.#block];
    this.#at = 0;
    return true;
  }
}
