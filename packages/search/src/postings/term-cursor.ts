import { isLive } from '../segment/segment-state.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { BLOCK_SIZE, type Space } from '../segment/space.ts';
import { BlockReader } from './block-reader.ts';
import { type Cursor, END } from './cursor.ts';

/** Shared: what is read is filtered at once. */
const reader = new BlockReader();

/** Walks the documents in which a term is visible in a weighted field, and sums its frequency over what is visible. */
export class TermCursor implements Cursor {
  document = -1;
  /** The frequency of the term in the current document: over its visible slots, each times its field's weight. */
  frequency = 0;
  readonly space: Space;
  readonly firstBlock: number;
  readonly endBlock: number;
  /** The block whose documents are decoded. */
  block: number;
  private readonly view: SegmentView;
  private readonly weights: Float64Array;
  /** The visible documents of the decoded block, and the frequency of the term in each. */
  readonly documents: Int32Array = new Int32Array(BLOCK_SIZE);
  readonly sums: Float64Array = new Float64Array(BLOCK_SIZE);
  count = 0;
  private at = 0;

  constructor(space: Space, term: number, view: SegmentView, weights: Float64Array) {
    this.space = space;
    this.view = view;
    this.weights = weights;
    this.firstBlock = space.blocks.ofTerm[term]!;
    this.endBlock = space.blocks.ofTerm[term + 1]!;
    this.block = this.firstBlock - 1;
  }

  next(): number {
    this.at++;
    while (this.at >= this.count) {
      if (++this.block >= this.endBlock) return this.finish();
      this.decode();
    }
    return this.settle();
  }

  advance(target: number): number {
    const { lastDocument } = this.space.blocks;
    if (this.block < this.firstBlock || this.block >= this.endBlock || lastDocument[this.block]! < target) {
      this.block = this.findBlock(target);
      if (this.block >= this.endBlock) return this.finish();
      this.decode();
    }
    while (true) {
      while (this.at < this.count && this.documents[this.at]! < target) this.at++;
      if (this.at < this.count) return this.settle();
      if (++this.block >= this.endBlock) return this.finish();
      this.decode();
    }
  }

  /** The first block, from the current one on, that may hold `target`. Gallops, then halves. */
  findBlock(target: number): number {
    const { lastDocument } = this.space.blocks;
    let low = Math.max(this.block, this.firstBlock);
    let step = 1;
    let high = low;
    while (high < this.endBlock && lastDocument[high]! < target) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    if (high > this.endBlock) high = this.endBlock;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lastDocument[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Decodes a block out of turn. The cursor then stands before its first document. */
  openBlock(block: number): void {
    this.block = block;
    this.decode();
    this.at = -1;
  }

  private settle(): number {
    this.frequency = this.sums[this.at]!;
    this.document = this.documents[this.at]!;
    return this.document;
  }

  private finish(): number {
    this.block = this.endBlock;
    this.count = 0;
    this.at = 0;
    this.document = END;
    return END;
  }

  /** Decodes the current block into visible documents. */
  private decode(): void {
    const { view, weights, documents, sums } = this;
    reader.read(this.space, this.block, this.firstBlock);
    const { document: documentOf, labelSet, field } = this.space.slots;
    const { permitted, permitsAll, live } = view;
    let count = 0;
    let previous = -1;
    for (let i = 0; i < reader.count; i++) {
      const slot = reader.slots[i]!;
      if (!permitsAll && permitted[labelSet[slot]!] === 0) continue;
      const weight = weights[field[slot]!]!;
      if (weight === 0) continue;
      const document = documentOf[slot]!;
      if (document === previous) {
        sums[count - 1]! += weight * reader.frequencies[i]!;
        continue;
      }
      if (live !== undefined && !isLive(live, document)) continue;
      documents[count] = document;
      sums[count++] = weight * reader.frequencies[i]!;
      previous = document;
    }
    this.count = count;
    this.at = 0;
  }
}

/** In how many documents a term is visible in a weighted field. Reads the whole list, keeps nothing of it. */
export function countVisibleDocuments(space: Space, term: number, view: SegmentView, weights: Float64Array): number {
  const { ofTerm } = space.blocks;
  const { document: documentOf, labelSet, field } = space.slots;
  const { permitted, live } = view;
  const firstBlock = ofTerm[term]!;
  let total = 0;
  let previous = -1;
  for (let block = firstBlock; block < ofTerm[term + 1]!; block++) {
    reader.read(space, block, firstBlock);
    for (let i = 0; i < reader.count; i++) {
      const slot = reader.slots[i]!;
      const document = documentOf[slot]!;
      if (document === previous || permitted[labelSet[slot]!] === 0 || weights[field[slot]!] === 0) continue;
      if (!isLive(live, document)) continue;
      previous = document;
      total++;
    }
  }
  return total;
}
