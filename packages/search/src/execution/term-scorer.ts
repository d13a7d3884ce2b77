import type { Explanation } from '../port/search-index.ts';
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

/** Scores the documents of one term by BM25. */
export class TermScorer implements Scorer {
  readonly cursor: TermCursor;
  readonly weighing: Weighing;

  constructor(cursor: TermCursor, weighing: Weighing) {
    this.cursor = cursor;
    this.weighing = weighing;
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

  explain(): Explanation {
    return explainWeight(this.weighing, this.cursor.document, this.cursor.frequency);
  }
}
