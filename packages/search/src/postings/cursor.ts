import type { Explanation } from '../port/search-index.ts';

/** The document of a cursor that is past its last. */
export const END = 0x7fffffff;

/** Walks matching documents in ascending order. Before the first `next` or `advance` it is at -1. */
export interface Cursor {
  readonly document: number;
  /** Steps to the next document and returns it, or `END`. */
  next(): number;
  /** Steps to the first document at or after `target`, which lies past the current one, and returns it. */
  advance(target: number): number;
}

/**
 * A cursor that scores, and steps from one document that can match to the next, so that each step is short however far
 * apart the matches are. It can say how the score of its current document came about.
 */
export interface Scorer extends Cursor {
  /** True when the current document does match. */
  readonly matches: boolean;
  /** The score of the current document. Deterministic: terms are summed in query order. */
  score(): number;
  explain(): Explanation;
}
