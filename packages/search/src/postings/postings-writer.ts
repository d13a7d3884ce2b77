import { BLOCK_SIZE, MIN_HISTOGRAM_POSTINGS, type PostingBlocks, type TermHistograms } from '../segment/segment.ts';
import { ByteBuffer, IntBuffer } from './growable.ts';
import { writePositions } from './positions.ts';

export interface SlotSource {
  readonly document: ArrayLike<number>;
  readonly labelSet: ArrayLike<number>;
  readonly ofDocument: ArrayLike<number>;
  readonly field: ArrayLike<number>;
  /** The least length byte of a viewer's document, by slot; and what a frequency weighs, by field. */
  readonly leastLength: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  union(sets: readonly number[]): number;
}

/** A frequency that no document of the block has; as a length it is the longest, which bounds nothing. */
const ABSENT = 255;

/** Postings of a term that wait for their block before the first of them is written. */
const MAX_WAITING = 4 * BLOCK_SIZE;

/**
 * Writes postings term after term: `add` for each slot in order, `endTerm` after the last.
 * A slot's positions come right behind its `add`. Blocks are written as soon as they are full, so that no call works
 * long, however frequent the term.
 */
export class PostingsWriter {
  #slots: SlotSource;
  readonly #withPositions: boolean;
  readonly #ofTerm = new IntBuffer();
  readonly #lastDocument = new IntBuffer();
  readonly #offset = new IntBuffer();
  readonly #positionOffset = new IntBuffer();
  readonly #impactOffset = new IntBuffer();
  readonly #impacts = new ByteBuffer(64);
  /** For each frequency of the block the least length byte that goes with it; 255 and above share the last. */
  readonly #leastLength = new Uint8Array(256);
  readonly #bytes: ByteBuffer;
  readonly #positions: ByteBuffer;
  readonly #histogramTerm = new IntBuffer();
  readonly #histogramOffset = new IntBuffer();
  readonly #histogramSet = new IntBuffer();
  readonly #histogramCount = new IntBuffer();
  /** Documents of the current term by set of labels, and the sets that have any. */
  readonly #setCounts: number[] = [];
  readonly #countedSets: number[] = [];

  readonly #termSlots = new IntBuffer();
  readonly #termFrequencies = new IntBuffer();
  readonly #termPositions = new IntBuffer();
  #term = 0;
  /** Postings of this term whose blocks are written, and the slot that the next block's deltas begin at. */
  #written = 0;
  #previousSlot = 0;
  #maxWaiting = MAX_WAITING;

  /** Makes room for so many bytes of postings and positions from the start: growing copies everything at once. */
  constructor(slots: SlotSource, withPositions: boolean, bytes = 256, positionBytes = 256) {
    this.#bytes = new ByteBuffer(bytes);
    this.#positions = new ByteBuffer(positionBytes);
    this.#leastLength.fill(ABSENT);
    this.#slots = slots;
    this.#withPositions = withPositions;
    this.#ofTerm.push(0);
  }

  /** Begins anew over other slots, in the memory of the last. Only after `finish`. */
  reset(slots: SlotSource): void {
    this.#slots = slots;
    const blocks = [this.#ofTerm, this.#lastDocument, this.#offset, this.#positionOffset, this.#impactOffset];
    const bytes = [this.#impacts, this.#bytes, this.#positions];
    const histograms = [this.#histogramTerm, this.#histogramOffset, this.#histogramSet, this.#histogramCount];
    for (const buffer of [...blocks, ...bytes, ...histograms]) buffer.length = 0;
    this.#ofTerm.push(0);
    this.#term = 0;
  }

  add(slot: number, frequency: number): void {
    if (this.#termSlots.length === this.#maxWaiting) this.#writeFullBlocks();
    this.#termSlots.push(slot);
    this.#termFrequencies.push(frequency);
    if (this.#withPositions) this.#termPositions.push(this.#positions.length);
  }

  /** Positions of the last posting, from a list. */
  writePositions(positions: ArrayLike<number>, start: number, end: number): void {
    writePositions(this.#positions, positions, start, end);
  }

  /** Positions of the last posting, as they are in another segment. */
  copyPositions(bytes: Uint8Array, start: number, end: number): void {
    this.#positions.writeBytes(bytes, start, end);
  }

  endTerm(): void {
    const count = this.#termSlots.length;
    for (let start = 0; start < count; ) start = this.#writeBlock(start, this.#blockEnd(start));
    if (this.#written + count >= MIN_HISTOGRAM_POSTINGS) {
      this.#countSets(count);
      this.#writeHistogram();
    } else if (this.#written > 0) {
      this.#forgetSets();
    }
    this.#ofTerm.push(this.#lastDocument.length);
    this.#termSlots.length = 0;
    this.#termFrequencies.length = 0;
    this.#termPositions.length = 0;
    this.#written = 0;
    this.#previousSlot = 0;
    this.#maxWaiting = MAX_WAITING;
    this.#term++;
  }

  *finish(): Generator<void, { blocks: PostingBlocks; histograms: TermHistograms }> {
    this.#offset.push(this.#bytes.length);
    this.#impactOffset.push(this.#impacts.length);
    if (this.#withPositions) this.#positionOffset.push(this.#positions.length);
    this.#histogramOffset.push(this.#histogramSet.length);
    return {
      blocks: {
        ofTerm: yield* this.#ofTerm.toUint32(),
        lastDocument: yield* this.#lastDocument.toColumn(),
        offset: yield* this.#offset.toUint32(),
        positionOffset: yield* this.#positionOffset.toUint32(),
        impactOffset: yield* this.#impactOffset.toUint32(),
        impacts: yield* this.#impacts.copyInSteps(),
        bytes: yield* this.#bytes.copyInSteps(),
        positions: yield* this.#positions.copyInSteps(),
      },
      histograms: {
        term: yield* this.#histogramTerm.toUint32(),
        offset: yield* this.#histogramOffset.toUint32(),
        labelSet: yield* this.#histogramSet.toColumn(),
        count: yield* this.#histogramCount.toUint32(),
      },
    };
  }

  #writeFullBlocks(): void {
    const count = this.#termSlots.length;
    let start = 0;
    for (let end = this.#blockEnd(0); end < count; end = this.#blockEnd(start)) start = this.#writeBlock(start, end);
    if (start === 0) {
      this.#maxWaiting *= 2;
      return;
    }
    this.#countSets(start);
    this.#written += start;
    for (const buffer of [this.#termSlots, this.#termFrequencies, this.#termPositions]) {
      buffer.values.copyWithin(0, start, buffer.length);
      buffer.length = Math.max(0, buffer.length - start);
    }
  }

  /** Writes one block of the postings that wait and returns where the next begins. */
  #writeBlock(start: number, end: number): number {
    const { document, ofDocument } = this.#slots;
    const slots = this.#termSlots.values;
    let previous = this.#previousSlot;
    this.#offset.push(this.#bytes.length);
    if (this.#withPositions) this.#positionOffset.push(this.#termPositions.values[start]);
    for (let i = start; i < end; i++) {
      const frequency = this.#termFrequencies.values[i];
      this.#bytes.writeVarint((slots[i] - previous) * 2 + (frequency === 1 ? 1 : 0));
      if (frequency !== 1) this.#bytes.writeVarint(frequency);
      previous = slots[i];
    }
    const last = document[slots[end - 1]];
    this.#previousSlot = ofDocument[last + 1];
    this.#lastDocument.push(last);
    this.#impactOffset.push(this.#impacts.length);
    this.#writeImpacts(start, end);
    return end;
  }

  /** The end of a block that starts at a posting: at most 128 on, but never within a document. */
  #blockEnd(start: number): number {
    const count = this.#termSlots.length;
    if (start + BLOCK_SIZE >= count) return count;
    const slots = this.#termSlots.values;
    const { document } = this.#slots;
    let end = start + BLOCK_SIZE;
    while (end > start && document[slots[end]] === document[slots[end - 1]]) end--;
    if (end > start) return end;
    end = start + BLOCK_SIZE;
    while (end < count && document[slots[end]] === document[slots[end - 1]]) end++;
    return end;
  }

  /** Writes, highest frequency first, the frequencies that come with a shorter length than all higher ones. */
  #writeImpacts(start: number, end: number): void {
    const highest = this.#gatherImpacts(start, end);
    let shortest = 256;
    for (let frequency = highest; frequency > 0; frequency--) {
      const length = this.#leastLength[frequency];
      if (length < shortest && (length !== ABSENT || frequency === highest)) {
        this.#impacts.writeByte(frequency);
        this.#impacts.writeByte(length);
        shortest = length;
      }
      this.#leastLength[frequency] = ABSENT;
    }
  }

  /** For each weighted frequency of a document of the block its least length; returns the highest frequency. */
  #gatherImpacts(start: number, end: number): number {
    const slots = this.#termSlots.values;
    const { document, field, leastLength, weights } = this.#slots;
    let highest = 0;
    for (let i = start; i < end; ) {
      const current = document[slots[i]];
      let frequency = 0;
      let shortest = ABSENT;
      for (; i < end && document[slots[i]] === current; i++) {
        const slot = slots[i];
        frequency += this.#termFrequencies.values[i] * weights[field[slot]];
        if (leastLength[slot] < shortest) shortest = leastLength[slot];
      }
      const capped = Math.min(Math.ceil(frequency), 255);
      this.#leastLength[capped] = Math.min(this.#leastLength[capped], shortest);
      if (capped > highest) highest = capped;
    }
    return highest;
  }

  /** Counts the documents of the first postings that wait, by set of labels. */
  #countSets(to: number): void {
    const slots = this.#termSlots.values;
    const { document } = this.#slots;
    for (let start = 0; start < to; ) {
      const current = document[slots[start]];
      let end = start + 1;
      while (end < to && document[slots[end]] === current) end++;
      const set = this.#setOf(start, end);
      const count = this.#setCounts[set] ?? 0;
      if (count === 0) this.#countedSets.push(set);
      this.#setCounts[set] = count + 1;
      start = end;
    }
  }

  #writeHistogram(): void {
    this.#histogramTerm.push(this.#term);
    this.#histogramOffset.push(this.#histogramSet.length);
    for (const set of this.#countedSets.sort((a, b) => a - b)) {
      this.#histogramSet.push(set);
      this.#histogramCount.push(this.#setCounts[set]);
    }
    this.#forgetSets();
  }

  #forgetSets(): void {
    for (const set of this.#countedSets) this.#setCounts[set] = 0;
    this.#countedSets.length = 0;
  }

  #setOf(start: number, end: number): number {
    const slots = this.#termSlots.values;
    const { labelSet } = this.#slots;
    const set = labelSet[slots[start]];
    for (let i = start + 1; i < end; i++) {
      if (labelSet[slots[i]] === set) continue;
      return this.#slots.union(Array.from(slots.subarray(start, end), (slot) => labelSet[slot]));
    }
    return set;
  }
}
