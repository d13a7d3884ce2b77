import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import { LENGTH_OF_BYTE, toLengthByte } from '../postings/length-norm.ts';
import type { TermCursor } from '../postings/term-cursor.ts';
import { termScore } from '../scoring/bm25.ts';
import type { VisibleSlots } from '../segment/segment-view.ts';

export interface Weighing {
  /** Inverse document frequency times boost. */
  readonly weight: number;
  readonly saturation: Float64Array;
  /** `undefined` for exact values: their length does not count. */
  readonly lengths: VisibleSlots | undefined;
  /** {@link leastBytes} of the fields. */
  readonly leastByte: Uint8Array;
  readonly description: string;
}

export function weigh(weighing: Weighing, document: number, frequency: number): number {
  const byte = weighing.lengths === undefined ? 0 : weighing.lengths.lengthByte(document);
  return termScore(weighing.weight, frequency, weighing.saturation[byte]);
}

/** Says how {@link weigh} came to its score. */
export function explainWeight(weighing: Weighing, document: number, frequency: number): Explanation {
  const byte = weighing.lengths === undefined ? 0 : weighing.lengths.lengthByte(document);
  return {
    value: weigh(weighing, document, frequency),
    description: `${weighing.description}: weight / (1 + saturation / frequency)`,
    details: [
      { value: weighing.weight, description: 'weight: inverse document frequency times boost', details: [] },
      { value: frequency, description: 'frequency, each field by its weight', details: [] },
      { value: weighing.saturation[byte], description: 'saturation: by length against the average', details: [] },
    ],
  };
}

/** The most that a frequency can score in a block whose shortest slot has a length byte. Exact monotone bound. */
export function boundWeight(weighing: Weighing, frequency: number, minLengthByte: number): number {
  const byte = weighing.lengths === undefined ? 0 : weighing.leastByte[minLengthByte];
  return termScore(weighing.weight, frequency, weighing.saturation[byte]);
}

export function leastBytes(share: number): Uint8Array {
  if (share >= 1) return SAME_BYTES;
  return SAME_BYTES.map((byte) => toLengthByte(LENGTH_OF_BYTE[byte] * share));
}

const SAME_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Scores the documents of one term by BM25. */
export class TermScorer implements Scorer {
  readonly cursor: TermCursor;
  readonly weighing: Weighing;
  /** How many times a bound's frequency the cursor's can be. */
  readonly #mostOfBound: number;
  #knownBounds: Float64Array | undefined;

  constructor(cursor: TermCursor, weighing: Weighing, mostOfBound: number) {
    this.cursor = cursor;
    this.weighing = weighing;
    this.#mostOfBound = mostOfBound;
  }

  get document(): number {
    return this.cursor.document;
  }

  get matches(): boolean {
    return this.cursor.document !== END;
  }

  next(): number {
    return this.cursor.next();
  }

  advance(target: number): number {
    return this.cursor.advance(target);
  }

  score(): number {
    return weigh(this.weighing, this.cursor.document, this.cursor.frequency);
  }

  /** The most that any document of each block can score for any viewer, by the number of the block in the term. */
  get bounds(): Float64Array {
    this.#knownBounds ??= this.#computeBounds();
    return this.#knownBounds;
  }

  /** The most that any document between two blocks, both included, can score. */
  boundBetween(first: number, last: number): number {
    const { bounds } = this;
    let most = 0;
    for (let i = first - this.cursor.firstBlock; i <= last - this.cursor.firstBlock; i++) {
      if (bounds[i] > most) most = bounds[i];
    }
    return most;
  }

  #computeBounds(): Float64Array {
    const { firstBlock, endBlock, space } = this.cursor;
    const { impactOffset, impacts } = space.blocks;
    const { lengths, leastByte, saturation, weight } = this.weighing;
    const bounds = new Float64Array(endBlock - firstBlock);
    let i = impactOffset[firstBlock];
    for (let block = firstBlock; block < endBlock; block++) {
      const end = impactOffset[block + 1];
      let most = 0;
      for (; i < end; i += 2) {
        const byte = lengths === undefined ? 0 : leastByte[impacts[i + 1]];
        const isBounded = impacts[i] !== 255;
        const bound = isBounded ? termScore(weight, impacts[i] * this.#mostOfBound, saturation[byte]) : weight;
        if (bound > most) most = bound;
      }
      bounds[block - firstBlock] = most;
    }
    return bounds;
  }

  explain(): Explanation {
    return explainWeight(this.weighing, this.cursor.document, this.cursor.frequency);
  }
}
