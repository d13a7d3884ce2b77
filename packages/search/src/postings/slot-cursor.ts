import { recall } from '../memory/recall.ts';
import { seekNumber } from '../memory/seek.ts';
import type { Space } from '../segment/segment.ts';
import type { VisibleSlots } from '../segment/segment-view.ts';
import { BlockReader } from './block-reader.ts';
import { findBlock } from './block-search.ts';
import { END } from './cursor.ts';
import { PositionReader } from './positions.ts';

/** Walks the slots of a word, visible or not, with the positions in them. */
export interface PositionCursor {
  /** How many slots there are, roughly. */
  readonly size: number;
  /** The current slot; -1 before the first, `END` after the last. */
  readonly slot: number;
  /** Steps to the first slot at or after `target`, which lies past the current one. */
  advance(target: number): number;
  /** Steps to the next slot at or after `target` within the current document, which ends before `end`; else stays. */
  advanceBefore(target: number, end: number): number;
  readonly frequency: number;
  /** The frequencies in the slots from the current one to the end of its document, each times its weight. */
  sumBefore(end: number, visible: VisibleSlots): number;
  /** The place of the current slot, for {@link positionsAt}: as long as the document is the same. */
  readonly place: number;
  /** The positions in the slot of a place, ascending. Places must ascend. Valid until the next call. */
  positionsAt(place: number): readonly number[];
}

/** Walks the slots of one term. */
export class SlotCursor implements PositionCursor {
  readonly size: number;
  slot = -1;
  readonly #space: Space;
  readonly #reader: BlockReader;
  readonly #positionReader: PositionReader;
  readonly #firstBlock: number;
  readonly #endBlock: number;
  #block: number;
  #at = 0;
  #positionAt = 0;
  readonly #found: number[] = [];

  get frequency(): number {
    return this.#reader.frequencies[this.#at];
  }

  constructor(space: Space, term: number) {
    this.#space = space;
    this.#positionReader = new PositionReader(space.blocks.positions);
    this.#firstBlock = space.blocks.ofTerm[term];
    this.#endBlock = space.blocks.ofTerm[term + 1];
    this.#block = this.#firstBlock - 1;
    this.size = space.blocks.offset[this.#endBlock] - space.blocks.offset[this.#firstBlock];
    this.#reader = new BlockReader(this.size);
  }

  advance(target: number): number {
    const { document } = this.#space.slots;
    if (target >= document.length) return this.#finish();
    const { lastDocument } = this.#space.blocks;
    const targetDocument = document[target];
    if (this.#block < this.#firstBlock || lastDocument[this.#block] < targetDocument) {
      const block = findBlock(lastDocument, targetDocument, Math.max(this.#block, this.#firstBlock), this.#endBlock);
      if (block >= this.#endBlock) return this.#finish();
      this.#open(block);
    }
    while (true) {
      const { slots, count } = this.#reader;
      let at = this.#at;
      while (at < count && slots[at] < target) at++;
      this.#at = at;
      if (at < count) {
        this.slot = slots[at];
        return this.slot;
      }
      if (this.#block + 1 >= this.#endBlock) return this.#finish();
      this.#open(this.#block + 1);
    }
  }

  advanceBefore(target: number, end: number): number {
    const { slots, count } = this.#reader;
    let at = this.#at;
    while (at < count && slots[at] < target) at++;
    if (at >= count || slots[at] >= end) return END;
    this.#at = at;
    this.slot = slots[at];
    return this.slot;
  }

  sumBefore(end: number, visible: VisibleSlots): number {
    const { slots, frequencies, count } = this.#reader;
    let sum = 0;
    for (let at = this.#at; at < count && slots[at] < end; at++) sum += frequencies[at] * visible.weigh(slots[at]);
    return sum;
  }

  get place(): number {
    return this.#at;
  }

  positionsAt(place: number): readonly number[] {
    const { frequencies } = this.#reader;
    let passed = 0;
    while (this.#positionAt < place) passed += frequencies[this.#positionAt++];
    if (passed > 0) this.#positionReader.skip(passed);
    if (this.#positionAt === place) {
      const count = frequencies[this.#positionAt++];
      if (this.#found.length !== count) this.#found.length = count;
      this.#positionReader.read(count, this.#found, 0);
    }
    return this.#found;
  }

  #open(block: number): void {
    this.#block = block;
    this.#reader.read(this.#space, block, this.#firstBlock);
    this.#at = 0;
    this.#positionAt = 0;
    this.#positionReader.offset = this.#space.blocks.positionOffset[block];
  }

  #finish(): number {
    this.#block = this.#endBlock;
    this.slot = END;
    return END;
  }
}

/** Walks the slots of any of several terms; their positions are merged. */
export class AnySlotCursor implements PositionCursor {
  slot = -1;
  readonly size: number;
  readonly #slots: Uint32Array;
  readonly #found: readonly number[][];
  #at = -1;

  get frequency(): number {
    return this.#found[this.#at].length;
  }

  /** Reads the terms to their ends, in the slots that are wanted. Cost: O(postings log postings). */
  constructor(cursors: readonly SlotCursor[], isWanted: (slot: number) => boolean) {
    const bySlot = new Map<number, number[]>();
    for (const cursor of cursors) {
      for (let slot = cursor.advance(0); slot !== END; slot = cursor.advance(slot + 1)) {
        if (!isWanted(slot)) continue;
        const known = recall(bySlot, slot, () => []);
        for (const position of cursor.positionsAt(cursor.place)) known.push(position);
      }
    }
    this.#slots = Uint32Array.from(bySlot.keys()).sort();
    this.size = this.#slots.length;
    this.#found = Array.from(this.#slots, (slot) => (bySlot.get(slot) ?? []).sort((a, b) => a - b));
  }

  advance(target: number): number {
    this.#at = seekNumber(this.#slots, target, this.#at + 1);
    this.slot = this.#at < this.#slots.length ? this.#slots[this.#at] : END;
    return this.slot;
  }

  advanceBefore(target: number, end: number): number {
    const at = seekNumber(this.#slots, target, this.#at + 1);
    if (at >= this.#slots.length || this.#slots[at] >= end) return END;
    this.#at = at;
    this.slot = this.#slots[at];
    return this.slot;
  }

  sumBefore(end: number, visible: VisibleSlots): number {
    let sum = 0;
    for (let at = this.#at; at < this.#slots.length && this.#slots[at] < end; at++) {
      sum += this.#found[at].length * visible.weigh(this.#slots[at]);
    }
    return sum;
  }

  get place(): number {
    return this.#at;
  }

  positionsAt(place: number): readonly number[] {
    return this.#found[place];
  }
}
