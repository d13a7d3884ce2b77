import type { Explanation } from '../port/search-index.ts';
import type { ScoringCursor } from '../postings/cursor.ts';

/** A scoring cursor that can say how the score of its current document came about. */
export interface Scorer extends ScoringCursor {
  explain(): Explanation;
}
