import { damagedSegment, type Space } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import type { VisibleSlots } from '../segment/segment-view.ts';
import { UNEVEN_BLOCK } from './block-reader.ts';
import { findBlock } from './block-search.ts';

/** Takes documents one by one. */
interface Gathered {
  add(document: number): void;
}

/** Half-open range of the blocks of a term. */
interface BlockRange {
  readonly firstBlock: number;
  readonly endBlock: number;
}

export function blocksOf({ blocks }: Space, term: number): BlockRange {
  return { firstBlock: blocks.ofTerm[term], endBlock: blocks.ofTerm[term + 1] };
}

/**
 * The live documents in which a term is visible, read as far as they are asked for: where scores do not matter, and
 * often only the first documents do, that is less work than to decode whole blocks.
 */
export class DocumentList {
  readonly #space: Space;
  readonly #visible: VisibleSlots;
  readonly #live: Uint32Array | undefined;
  readonly #firstBlock: number;
  readonly #endBlock: number;
  #block: number;
  /** Where the next posting begins; the slot that was read last, and whether it waits to be asked for. */
  #offset = 0;
  #slot = 0;
  #isWaiting = false;

  constructor(
    space: Space,
    { firstBlock, endBlock }: BlockRange,
    live: Uint32Array | undefined,
    visible: VisibleSlots,
  ) {
    this.#space = space;
    this.#visible = visible;
    this.#live = live;
    this.#firstBlock = firstBlock;
    this.#endBlock = endBlock;
    this.#block = firstBlock - 1;
  }

  /**
   * Gathers the documents from `start` up to, without, `end`, and returns how many bytes of postings were read, and one.
   * Stretches must ascend.
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt) when a block does not end at its last document.
   */
  gather(start: number, end: number, into: Gathered): number {
    const { lastDocument } = this.#space.blocks;
    if (this.#block < this.#firstBlock || (this.#block < this.#endBlock && lastDocument[this.#block] < start)) {
      this.#open(findBlock(lastDocument, start, Math.max(this.#block, this.#firstBlock), this.#endBlock));
    }
    let units = 1;
    while (this.#block < this.#endBlock) {
      const before = this.#offset;
      const isAtEnd = this.#gatherBlock(start, end, into);
      units += this.#offset - before;
      if (!isAtEnd) break;
      this.#open(this.#block + 1);
    }
    return units;
  }

  #open(block: number): void {
    this.#block = block;
    if (block >= this.#endBlock) return;
    const { blocks, slots } = this.#space;
    this.#offset = blocks.offset[block];
    this.#slot = block === this.#firstBlock ? 0 : slots.ofDocument[blocks.lastDocument[block - 1] + 1];
    this.#isWaiting = false;
  }

  /** Gathers from the current block; true when it is read to its end. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every posting of many terms comes through here
  #gatherBlock(start: number, end: number, into: Gathered): boolean {
    const { blocks, slots } = this.#space;
    const { bytes } = blocks;
    const { document: documentOf } = slots;
    const { codes, isVisible } = this.#visible;
    const endOffset = blocks.offset[this.#block + 1];
    let offset = this.#offset;
    let slot = this.#slot;
    let isWaiting = this.#isWaiting;
    while (isWaiting || offset < endOffset) {
      if (!isWaiting) {
        let code = bytes[offset++];
        if (code > 127) {
          let shift = 7;
          let byte = bytes[offset++];
          code &= 127;
          while (byte > 127) {
            code |= (byte & 127) << shift;
            shift += 7;
            byte = bytes[offset++];
          }
          code |= byte << shift;
        }
        slot += code >>> 1;
        if ((code & 1) === 0) while (bytes[offset++] > 127);
      }
      const document = documentOf[slot];
      isWaiting = document >= end;
      if (isWaiting) break;
      if (document === undefined) throw damagedSegment(UNEVEN_BLOCK);
      const isWanted = document >= start && isVisible[codes[slot] || this.#visible.decide(slot)] === 1;
      if (isWanted && isLive(this.#live, document)) into.add(document);
    }
    this.#offset = offset;
    this.#slot = slot;
    this.#isWaiting = isWaiting;
    if (isWaiting) return false;
    if (offset !== endOffset || documentOf[slot] !== blocks.lastDocument[this.#block])
      throw damagedSegment(UNEVEN_BLOCK);
    return true;
  }
}
