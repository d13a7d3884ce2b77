import type { Scorer } from '../postings/cursor.ts';
import type { SegmentView } from '../segment/segment-view.ts';

/** Sees the matches of a search, segment after segment. */
export interface MatchVisitor {
  /** Begins with a segment; its matches then come in ascending order, each once. */
  open(view: SegmentView): void;
  /** Sees the match that a scorer stands at. Returns false when it needs no more of them. */
  visit(match: Scorer): boolean;
}
