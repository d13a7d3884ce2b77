import { recall } from '../memory/recall.ts';
import { seekNumber } from '../memory/seek.ts';
import type { Space } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import type { SegmentView, VisibleSlots } from '../segment/segment-view.ts';
import { BlockReader } from './block-reader.ts';
import { END } from './cursor.ts';
import { PositionReader } from './positions.ts';

/** Walks the visible slots of a word, with the positions in them. */
export interface PositionCursor {
  /** The current slot; -1 before the first, `END` after the last. */
  readonly slot: number;
  /** Steps to the first slot at or after `target`, which lies past the current one. */
  advance(target: number): number;
  readonly frequency: number;
  /** The positions in the current slot, ascending. Valid until the next step. */
  positions(): readonly number[];
}

/** Walks the slots of one term. */
export class SlotCursor implements PositionCursor {
  slot = -1;
  readonly #view: SegmentView;
  readonly #visible: VisibleSlots;
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

  constructor(space: Space, term: number, view: SegmentView, visible: VisibleSlots) {
    this.#space = space;
    this.#view = view;
    this.#visible = visible;
    this.#reader = new BlockReader();
    this.#positionReader = new PositionReader(space.blocks.positions);
    this.#firstBlock = space.blocks.ofTerm[term];
    this.#endBlock = space.blocks.ofTerm[term + 1];
    this.#block = this.#firstBlock - 1;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every slot that is skipped comes through here
  advance(target: number): number {
    const { document } = this.#space.slots;
    const { lastDocument } = this.#space.blocks;
    if (target >= document.length) return this.#finish();
    const targetDocument = document[target];
    if (this.#block < this.#firstBlock || lastDocument[this.#block] < targetDocument) {
      let block = Math.max(this.#block, this.#firstBlock);
      while (block < this.#endBlock && lastDocument[block] < targetDocument) block++;
      if (block >= this.#endBlock) return this.#finish();
      this.#open(block);
    }
    while (true) {
      for (; this.#at < this.#reader.count; this.#at++) {
        const slot = this.#reader.slots[this.#at];
        if (slot < target || !this.#isVisible(slot)) continue;
        this.slot = slot;
        return slot;
      }
      if (this.#block + 1 >= this.#endBlock) return this.#finish();
      this.#open(this.#block + 1);
    }
  }

  positions(): readonly number[] {
    const { frequencies } = this.#reader;
    while (this.#positionAt < this.#at) this.#positionReader.skip(frequencies[this.#positionAt++]);
    if (this.#positionAt === this.#at) {
      const count = frequencies[this.#positionAt++];
      this.#found.length = count;
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

  #isVisible(slot: number): boolean {
    return this.#visible.weigh(slot) > 0 && isLive(this.#view.live, this.#space.slots.document[slot]);
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
  readonly #slots: Uint32Array;
  readonly #found: readonly number[][];
  #at = -1;

  get frequency(): number {
    return this.#found[this.#at].length;
  }

  /** Reads the terms to their ends. Cost: O(postings log postings). */
  constructor(cursors: readonly SlotCursor[]) {
    const bySlot = new Map<number, number[]>();
    for (const cursor of cursors) {
      for (let slot = cursor.advance(0); slot !== END; slot = cursor.advance(slot + 1)) {
        const known = recall(bySlot, slot, () => []);
        for (const position of cursor.positions()) known.push(position);
      }
    }
    this.#slots = Uint32Array.from(bySlot.keys()).sort();
    this.#found = Array.from(this.#slots, (slot) => (bySlot.get(slot) ?? []).sort((a, b) => a - b));
  }

  advance(target: number): number {
    this.#at = seekNumber(this.#slots, target, this.#at + 1);
    this.slot = this.#at < this.#slots.length ? this.#slots[this.#at] : END;
    return this.slot;
  }

  positions(): readonly number[] {
    return this.#found[this.#at];
  }
}
