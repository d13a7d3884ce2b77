import type { Space } from '../segment/space.ts';
import type { VisibleSlots } from '../segment/visible-slots.ts';
import type { TermCursor } from './term-cursor.ts';

/** A slot that is past every other. */
const NO_SLOT = 0x7fffffff;

/**
 * Looks up how often a term is visible in documents that are asked about in ascending order. Passes over what lies
 * between them without looking at it. Says nothing about deleted documents.
 */
export class TermProbe {
  private readonly space: Space;
  private readonly visible: VisibleSlots;
  private readonly cursor: TermCursor;
  private block: number;
  private lastDocument = -1;
  /** The posting that was read last, and where the next begins. */
  private slot: number = NO_SLOT;
  private frequency = 0;
  private offset = 0;
  private endOffset = 0;

  constructor(cursor: TermCursor) {
    this.cursor = cursor;
    this.space = cursor.space;
    this.visible = cursor.visible;
    this.block = cursor.firstBlock - 1;
  }

  /** The weighted frequency in a document; 0 where the viewer sees none. */
  frequencyIn(document: number): number {
    if (document > this.lastDocument && !this.openBlock(document)) return 0;
    const { ofDocument } = this.space.slots;
    const endSlot = ofDocument[document + 1]!;
    this.skipTo(ofDocument[document]!);
    let sum = 0;
    while (this.slot < endSlot) {
      sum += this.visible.weigh(this.slot) * this.frequency;
      this.skipTo(this.slot + 1);
    }
    return sum;
  }

  private openBlock(document: number): boolean {
    const { cursor } = this;
    const { blocks, slots } = this.space;
    const block = cursor.findBlockFrom(this.block, document);
    if (block >= cursor.endBlock) return false;
    this.block = block;
    this.lastDocument = blocks.lastDocument[block]!;
    this.offset = blocks.offset[block]!;
    this.endOffset = blocks.offset[block + 1]!;
    const start = block === cursor.firstBlock ? 0 : slots.ofDocument[blocks.lastDocument[block - 1]! + 1]!;
    this.slot = start - 1;
    this.frequency = 0;
    this.skipFrom(start, start);
    return true;
  }

  /** Reads on until a posting at or after a slot. */
  private skipTo(target: number): void {
    if (this.slot < target) this.skipFrom(this.slot, target);
  }

  private skipFrom(start: number, target: number): void {
    const { bytes } = this.space.blocks;
    const { endOffset } = this;
    let { offset } = this;
    let slot = start;
    while (offset < endOffset) {
      let code = bytes[offset++]!;
      if (code > 127) {
        let shift = 7;
        let byte = bytes[offset++]!;
        code &= 127;
        while (byte > 127) {
          code |= (byte & 127) << shift;
          shift += 7;
          byte = bytes[offset++]!;
        }
        code |= byte << shift;
      }
      slot += code >>> 1;
      let frequency = 1;
      if ((code & 1) === 0) {
        frequency = bytes[offset++]!;
        if (frequency > 127) {
          let shift = 7;
          let byte = bytes[offset++]!;
          frequency &= 127;
          while (byte > 127) {
            frequency |= (byte & 127) << shift;
            shift += 7;
            byte = bytes[offset++]!;
          }
          frequency |= byte << shift;
        }
      }
      if (slot < target) continue;
      this.slot = slot;
      this.frequency = frequency;
      this.offset = offset;
      return;
    }
    this.slot = NO_SLOT;
    this.offset = endOffset;
  }
}
