import { BLOCK_SIZE, damagedSegment, type Space } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import type { SegmentView, VisibleSlots } from '../segment/segment-view.ts';
import { UNEVEN_BLOCK } from './block-reader.ts';
import { findBlock } from './block-search.ts';
import { type Cursor, END } from './cursor.ts';

/** Room for the documents of one block, and for one posting that is not kept. */
class DecodedBlock {
  readonly documents: Int32Array;
  readonly sums: Float64Array;

  constructor(size: number = BLOCK_SIZE) {
    this.documents = new Int32Array(size + 1);
    this.sums = new Float64Array(size + 1);
  }
}

/** For cursors that are used up at once. */
const SCRATCH = new DecodedBlock();

/** For cursors that have not decoded anything, or are used up. */
const NOTHING = new DecodedBlock(0);

/** Room that cursors gave back: what is not on the heap of the engine is slow to get and to let go. */
const spare: DecodedBlock[] = [];
const MAX_SPARE = 256;
/** Room for fewer postings is quick to get. */
const MIN_SPARED = 8;

function takeRoom(size: number): DecodedBlock {
  return size < MIN_SPARED ? new DecodedBlock(size) : (spare.pop() ?? new DecodedBlock());
}

/** Walks the documents in which a term is visible in a weighted field, and sums its frequency over what is visible. */
export class TermCursor implements Cursor {
  document = -1;
  /** The frequency of the term in the current document: over its visible slots, each times its field's weight. */
  frequency = 0;
  readonly space: Space;
  readonly visible: VisibleSlots;
  readonly firstBlock: number;
  readonly endBlock: number;
  #block: number;
  /** Visible documents that are decoded, and the frequency of the term in each. */
  documents: Int32Array;
  sums: Float64Array;
  count = 0;
  #room: DecodedBlock;
  #at = -1;
  readonly #live: Uint32Array | undefined;

  /** @param buffers where to decode to; shared by cursors that are not used beside each other. They are not released. */
  constructor(space: Space, term: number, view: SegmentView, visible: VisibleSlots, buffers?: DecodedBlock) {
    this.space = space;
    this.visible = visible;
    this.#live = view.live;
    this.firstBlock = space.blocks.ofTerm[term];
    this.endBlock = space.blocks.ofTerm[term + 1];
    this.#block = this.firstBlock - 1;
    this.#room = buffers ?? NOTHING;
    this.documents = this.#room.documents;
    this.sums = this.#room.sums;
  }

  /** Gives the room back for others, when the cursor is not used any more. It is as if past its last document. */
  release(): void {
    if (this.documents.length > BLOCK_SIZE && spare.length < MAX_SPARE) spare.push(this.#room);
    this.#holdIn(NOTHING);
    this.#finish();
  }

  #holdIn(room: DecodedBlock): void {
    this.#room = room;
    this.documents = room.documents;
    this.sums = room.sums;
  }

  next(): number {
    this.#at++;
    while (this.#at >= this.count) {
      if (this.#block + 1 >= this.endBlock) return this.#finish();
      this.#decode(this.#block + 1);
    }
    return this.#settle();
  }

  advance(target: number): number {
    const { lastDocument } = this.space.blocks;
    if (this.#block < this.firstBlock || this.#block >= this.endBlock || lastDocument[this.#block] < target) {
      const block = this.findBlockFrom(this.#block, target);
      if (block >= this.endBlock) return this.#finish();
      this.#decode(block);
    }
    while (true) {
      while (this.#at < this.count && this.documents[this.#at] < target) this.#at++;
      if (this.#at < this.count) return this.#settle();
      if (this.#block + 1 >= this.endBlock) return this.#finish();
      this.#decode(this.#block + 1);
    }
  }

  /** The first block, from a given one on, that may hold `target`. */
  findBlockFrom(start: number, target: number): number {
    return findBlock(this.space.blocks.lastDocument, target, Math.max(start, this.firstBlock), this.endBlock);
  }

  /** Decodes a block whole, in any order of blocks, into `documents` and `sums`. The cursor is before the first. */
  openBlock(block: number): void {
    this.#decode(block);
    this.#at = -1;
  }

  /** No block has more postings than bytes. */
  #largestBlock(): number {
    const { offset } = this.space.blocks;
    return Math.min(offset[this.endBlock] - offset[this.firstBlock], BLOCK_SIZE);
  }

  #settle(): number {
    this.frequency = this.sums[this.#at];
    this.document = this.documents[this.#at];
    return this.document;
  }

  #finish(): number {
    this.#block = this.endBlock;
    this.count = 0;
    this.#at = 0;
    this.document = END;
    return END;
  }

  /**
   * Decodes a block into its visible documents. Written without branches on what is visible, which no processor can
   * guess: every posting is written, and the next one over it unless it is visible.
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt) when the block does not end at its last document.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every posting of a block comes through here
  #decode(block: number): void {
    if (this.#room === NOTHING) this.#holdIn(takeRoom(this.#largestBlock()));
    const { documents, sums, visible } = this;
    const { blocks, slots } = this.space;
    const { bytes } = blocks;
    const { document: documentOf } = slots;
    const { codes, weightOf, isVisible } = visible;
    const end = blocks.offset[block + 1];
    let offset = blocks.offset[block];
    let slot = block === this.firstBlock ? 0 : slots.ofDocument[blocks.lastDocument[block - 1] + 1];
    let count = 0;
    let last = -1;
    while (offset < end) {
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
      let frequency = 1;
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
      let slotCode = codes[slot];
      if (slotCode === 0) slotCode = visible.decide(slot);
      const weighted = weightOf[slotCode] * frequency;
      const document = documentOf[slot];
      if (document === last) {
        sums[count - 1] += weighted;
        continue;
      }
      const step = isVisible[slotCode];
      documents[count] = document;
      sums[count] = weighted;
      count += step;
      last += (document - last) * step;
    }
    // Slots ascend: where the last one is right, all of them are slots.
    const isWhole = offset === end && documentOf[slot] === blocks.lastDocument[block] && count < documents.length;
    if (!isWhole) throw damagedSegment(UNEVEN_BLOCK);
    this.#block = block;
    this.#at = 0;
    this.count = this.#live === undefined ? count : this.#dropDead(count, this.#live);
  }

  #dropDead(count: number, live: Uint32Array): number {
    const { documents, sums } = this;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (!isLive(live, documents[i])) continue;
      documents[kept] = documents[i];
      sums[kept++] = sums[i];
    }
    return kept;
  }
}

/** In how many documents a term is visible in a weighted field. Reads the whole list, keeps nothing of it. */
export function countVisibleDocuments(space: Space, term: number, view: SegmentView, visible: VisibleSlots): number {
  const cursor = new TermCursor(space, term, view, visible, SCRATCH);
  let total = 0;
  for (let block = cursor.firstBlock; block < cursor.endBlock; block++) {
    cursor.openBlock(block);
    total += cursor.count;
  }
  return total;
}

export function isTermVisible(space: Space, term: number, view: SegmentView, visible: VisibleSlots): boolean {
  return new TermCursor(space, term, view, visible, SCRATCH).advance(0) !== END;
}

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
