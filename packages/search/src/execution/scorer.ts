import type { Explanation } from '../port/search-index.ts';
import type { ScoringCursor } from '../postings/cursor.ts';

/**
 * A scoring cursor that steps from one document that can match to the next, so that each step is short however far
 * apart the matches are. It can say how the score of its current document came about.
 */
export interface Scorer extends ScoringCursor {
  /** True when the current document does match. */
  readonly matches: boolean;
  explain(): Explanation;
}
