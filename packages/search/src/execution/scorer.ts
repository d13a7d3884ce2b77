import type { Explanation } from '../port/search-index.ts';
import type { Cursor } from '../postings/cursor.ts';

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
