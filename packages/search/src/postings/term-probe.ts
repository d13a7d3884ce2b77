import { damagedSegment, type Space } from '../segment/segment.ts';
import type { VisibleSlots } from '../segment/segment-view.ts';
import { UNEVEN_BLOCK } from './block-reader.ts';
import type { TermCursor } from './term-cursor.ts';

/** A slot that is past every other. */
const NO_SLOT = 0x7fffffff;

/**
 * Looks up how often a term is visible in documents that are asked about in ascending order. Passes over what lies
 * between them without looking at it. Says nothing about deleted documents.
 */
export class TermProbe {
  readonly #space: Space;
  readonly #visible: VisibleSlots;
  readonly #cursor: TermCursor;
  #block: number;
  #lastDocument = -1;
  /** The posting that was read last, and where the next begins. */
  #slot = 0;
  #frequency = 0;
  #offset = 0;
  #endOffset = 0;

  constructor(cursor: TermCursor) {
    this.#cursor = cursor;
    this.#space = cursor.space;
    this.#visible = cursor.visible;
    this.#block = cursor.firstBlock - 1;
  }

  /** The weighted frequency in a document; 0 where the viewer sees none. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every candidate of a query comes through here
  frequencyIn(document: number): number {
    if (document > this.#lastDocument && !this.#openBlock(document)) return 0;
    const visible = this.#visible;
    const endOffset = this.#endOffset;
    const { bytes } = this.#space.blocks;
    const { ofDocument } = this.#space.slots;
    const { codes, weightOf } = visible;
    const startSlot = ofDocument[document];
    const endSlot = ofDocument[document + 1];
    let offset = this.#offset;
    let slot = this.#slot;
    let frequency = this.#frequency;
    let sum = 0;
    while (slot < endSlot) {
      if (slot >= startSlot) sum += weightOf[codes[slot] || visible.decide(slot)] * frequency;
      if (offset >= endOffset) {
        if (offset > endOffset) throw damagedSegment(UNEVEN_BLOCK);
        slot = NO_SLOT;
        break;
      }
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
      frequency = 1;
      if ((code & 1) === 0) {
        frequency = bytes[offset++];
        if (frequency > 127) {
          let shift = 7;
          let byte = bytes[offset++];
          frequency &= 127;
          while (byte > 127) {
            frequency |= (byte & 127) << shift;
            shift += 7;
            byte = bytes[offset++];
          }
          frequency |= byte << shift;
        }
      }
    }
    this.#offset = offset;
    this.#slot = slot;
    this.#frequency = frequency;
    return sum;
  }

  #openBlock(document: number): boolean {
    const cursor = this.#cursor;
    const { blocks, slots } = this.#space;
    const block = cursor.findBlockFrom(this.#block, document);
    if (block >= cursor.endBlock) return false;
    this.#block = block;
    this.#lastDocument = blocks.lastDocument[block];
    this.#offset = blocks.offset[block];
    this.#endOffset = blocks.offset[block + 1];
    // Deltas count from the first slot after the block before; as a posting that one has no frequency.
    this.#slot = block === cursor.firstBlock ? 0 : slots.ofDocument[blocks.lastDocument[block - 1] + 1];
    this.#frequency = 0;
    return true;
  }
}
