import type { FieldSelection } from '../mapping/field-selection.ts';
import { END } from '../postings/cursor.ts';
import { TermCursor } from '../postings/term-cursor.ts';
import { type SegmentView, weighFields } from '../segment/segment-view.ts';
import type { SpaceName } from '../segment/space.ts';
import { compareByCodePoint, type TermDictionary } from '../segment/term-dictionary.ts';
import type { WorkBudget } from './work-budget.ts';

/** Which terms of a dictionary to look for. */
export interface TermPattern {
  /** The half-open range of ordinals that can hold matches. */
  range(terms: TermDictionary): readonly [start: number, end: number];
  matches(term: string): boolean;
}

/**
 * The terms that fit a pattern and have a posting that the viewer may see, sorted by code point.
 * @throws `ERR_SEARCH_BUDGET` when there are more than the budget allows.
 */
export function expandTerms(
  views: readonly SegmentView[],
  space: SpaceName,
  selection: FieldSelection,
  pattern: TermPattern,
  budget: WorkBudget,
): string[] {
  const found = new Set<string>();
  for (const view of views) {
    const { terms } = view.segment.spaces[space];
    const { weights } = weighFields(view.segment, selection);
    const [start, end] = pattern.range(terms);
    for (let ordinal = start; ordinal < end; ordinal++) {
      budget.tick();
      const term = terms.term(ordinal);
      if (found.has(term) || !pattern.matches(term) || !isVisible(view, space, ordinal, weights)) continue;
      found.add(term);
      budget.spendExpansion();
    }
  }
  return [...found].sort(compareByCodePoint);
}

function isVisible(view: SegmentView, space: SpaceName, ordinal: number, weights: Float64Array): boolean {
  return new TermCursor(view.segment.spaces[space], ordinal, view, weights).next() !== END;
}
