import { grow } from '../memory/grow.ts';
import { BLOCK_SIZE, damagedSegment, type Space } from '../segment/segment.ts';

/** The problem of a block whose bytes do not lead to where it ends. */
export const UNEVEN_BLOCK = 'a block of postings does not end at its last document';

export class BlockReader {
  slots: Int32Array;
  frequencies: Int32Array;
  count = 0;

  /** @param bytes of all blocks of a term: none has more postings */
  constructor(bytes: number = BLOCK_SIZE) {
    const size = Math.max(1, Math.min(bytes, BLOCK_SIZE));
    this.slots = new Int32Array(size);
    this.frequencies = new Int32Array(size);
  }

  /**
   * Reads a block of a term whose first block is `firstBlock`.
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt) when it does not end at its last document.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every posting of a block comes through here
  read(space: Space, block: number, firstBlock: number): void {
    const { blocks, slots } = space;
    const { bytes } = blocks;
    let slot = block === firstBlock ? 0 : slots.ofDocument[blocks.lastDocument[block - 1] + 1];
    let at = blocks.offset[block];
    const end = blocks.offset[block + 1];
    let count = 0;
    while (at < end) {
      let code = bytes[at++];
      if (code > 127) {
        code &= 127;
        let shift = 7;
        let byte = bytes[at++];
        while (byte > 127) {
          code |= (byte & 127) << shift;
          shift += 7;
          byte = bytes[at++];
        }
        code |= byte << shift;
      }
      let frequency = 1;
      if ((code & 1) === 0) {
        frequency = bytes[at++];
        if (frequency > 127) {
          frequency &= 127;
          let shift = 7;
          let byte = bytes[at++];
          while (byte > 127) {
            frequency |= (byte & 127) << shift;
            shift += 7;
            byte = bytes[at++];
          }
          frequency |= byte << shift;
        }
      }
      slot += code >>> 1;
      if (count === this.slots.length) this.#grow();
      this.slots[count] = slot;
      this.frequencies[count++] = frequency;
    }
    // Slots ascend: where the last one is right, all of them are slots.
    if (at !== end || slots.document[slot] !== blocks.lastDocument[block]) throw damagedSegment(UNEVEN_BLOCK);
    this.count = count;
  }

  /** Only a block of a single document can hold more than {@link BLOCK_SIZE} postings. */
  #grow(): void {
    this.slots = grow(this.slots);
    this.frequencies = grow(this.frequencies);
  }
}
