import type { Explanation } from '../port/search-index.ts';
import { LENGTH_OF_BYTE, toLengthByte } from '../postings/length-norm.ts';
import type { TermCursor } from '../postings/term-cursor.ts';
import { termScore } from '../scoring/bm25.ts';
import type { DocumentLengths } from '../scoring/document-length.ts';
import type { Scorer } from './scorer.ts';

/** What turns frequency and length into a score. */
export interface Weighing {
  /** Inverse document frequency times boost. */
  readonly weight: number;
  readonly saturation: Float64Array;
  /** `undefined` for exact values: their length does not count. */
  readonly lengths: DocumentLengths | undefined;
  /** What {@link leastBytes} gives for the fields. */
  readonly leastByte: Uint8Array;
  /** What is weighed, for explanations. */
  readonly description: string;
}

/** Scores a frequency in a document. */
export function weigh(weighing: Weighing, document: number, frequency: number): number {
  const byte = weighing.lengths === undefined ? 0 : weighing.lengths.byteOf(document);
  return termScore(weighing.weight, frequency, weighing.saturation[byte]!);
}

/** Says how {@link weigh} came to its score. */
export function explainWeight(weighing: Weighing, document: number, frequency: number): Explanation {
  const byte = weighing.lengths === undefined ? 0 : weighing.lengths.byteOf(document);
  return {
    value: weigh(weighing, document, frequency),
    description: `${weighing.description}: weight / (1 + saturation / frequency)`,
    details: [
      { value: weighing.weight, description: 'weight: inverse document frequency times boost', details: [] },
      { value: frequency, description: 'frequency, each field by its weight', details: [] },
      { value: weighing.saturation[byte]!, description: 'saturation: by length against the average', details: [] },
    ],
  };
}

/** The most that a frequency can score in a block whose shortest slot has a length byte. Exact monotone bound. */
export function boundWeight(weighing: Weighing, frequency: number, minLengthByte: number): number {
  const byte = weighing.lengths === undefined ? 0 : weighing.leastByte[minLengthByte]!;
  return termScore(weighing.weight, frequency, weighing.saturation[byte]!);
}

/** For each length byte of a bound the least byte under weights that are at least a share of the bound's. */
export function leastBytes(share: number): Uint8Array {
  if (share >= 1) return SAME_BYTES;
  return SAME_BYTES.map((byte) => toLengthByte(LENGTH_OF_BYTE[byte]! * share));
}

const SAME_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Scores the documents of one term by BM25. */
export class TermScorer implements Scorer {
  readonly cursor: TermCursor;
  readonly weighing: Weighing;
  /** How many times a bound's frequency the cursor's can be. */
  private readonly mostOfBound: number;

  constructor(cursor: TermCursor, weighing: Weighing, mostOfBound: number) {
    this.cursor = cursor;
    this.weighing = weighing;
    this.mostOfBound = mostOfBound;
  }

  get document(): number {
    return this.cursor.document;
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

  /** The most that any document of a block can score for any viewer. */
  boundOf(block: number): number {
    const { impactOffset, impacts } = this.cursor.space.blocks;
    const { lengths, leastByte, saturation, weight } = this.weighing;
    const end = impactOffset[block + 1]!;
    let most = 0;
    for (let i = impactOffset[block]!; i < end; i += 2) {
      if (impacts[i] === 255) return weight;
      const byte = lengths === undefined ? 0 : leastByte[impacts[i + 1]!]!;
      const bound = termScore(weight, impacts[i]! * this.mostOfBound, saturation[byte]!);
      if (bound > most) most = bound;
    }
    return most;
  }

  explain(): Explanation {
    return explainWeight(this.weighing, this.cursor.document, this.cursor.frequency);
  }
}
