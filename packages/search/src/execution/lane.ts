import { END } from '../postings/cursor.ts';
import { TermProbe } from '../postings/term-probe.ts';
import { type TermScorer, weigh } from './term-scorer.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
export const SLACK: number = 1 + 1e-9;

/** One of several terms that are collected together. */
export class Lane {
  readonly scorer: TermScorer;
  readonly most: number;
  /** Score that the term adds to the current document. */
  current = 0;
  readonly #probe: TermProbe;
  #block: number;
  /** The bound of the current block, and the last document that it holds for. */
  #bound = 0;
  #boundedTo = -1;
  #window: number;

  constructor(scorer: TermScorer) {
    const { firstBlock, endBlock } = scorer.cursor;
    this.scorer = scorer;
    this.most = scorer.boundBetween(firstBlock, endBlock - 1);
    this.#probe = new TermProbe(scorer.cursor);
    this.#block = firstBlock;
    this.#window = firstBlock;
  }

  /** The most that the term adds to a document, by the bound of its block. Documents must ascend. */
  boundAt(document: number): number {
    if (document > this.#boundedTo) this.#moveBound(document);
    return this.#bound;
  }

  /** The block of the first document at or after one; the end block when there is none. Documents must ascend. */
  blockAt(document: number): number {
    this.#window = this.scorer.cursor.findBlockFrom(this.#window, document);
    return this.#window;
  }

  #moveBound(document: number): void {
    const { cursor, bounds } = this.scorer;
    this.#block = cursor.findBlockFrom(this.#block, document);
    const isAtEnd = this.#block >= cursor.endBlock;
    this.#bound = isAtEnd ? 0 : bounds[this.#block - cursor.firstBlock];
    this.#boundedTo = isAtEnd ? END : cursor.space.blocks.lastDocument[this.#block];
  }

  /** The most that the term adds to any document between two; -1 when it has ended before. */
  boundWithin(first: number, last: number): number {
    const { cursor } = this.scorer;
    const start = this.blockAt(first);
    if (start >= cursor.endBlock) return -1;
    return this.scorer.boundBetween(start, Math.min(cursor.findBlockFrom(start, last), cursor.endBlock - 1));
  }

  /**
   * Returns the score that the term adds to a document; -1 where the viewer does not see it there. Documents must
   * ascend.
   */
  scoreAt(document: number): number {
    const frequency = this.#probe.frequencyIn(document);
    return frequency === 0 ? -1 : weigh(this.scorer.weighing, document, frequency);
  }
}
