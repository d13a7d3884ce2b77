import type { FieldSelection } from '../mapping/field-selection.ts';
import { isTermVisible } from '../postings/term-cursor.ts';
import type { SpaceName } from '../segment/segment.ts';
import { openVisibleSlots, type SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint, type TermDictionary } from '../segment/term-dictionary.ts';
import type { WorkBudget } from './work-budget.ts';

export interface TermPattern {
  /** The ordinals of the terms that can fit, ascending. */
  candidates(terms: TermDictionary): Iterable<number>;
  /** Returns true if a candidate fits. Default: each does. */
  readonly matches?: (term: string) => boolean;
}

/** The ordinals of a half-open range. */
export function* ordinalsOf([start, end]: readonly [start: number, end: number]): Generator<number> {
  for (let ordinal = start; ordinal < end; ordinal++) yield ordinal;
}

/** Every term that begins with a text. */
export function beginningWith(prefix: string): TermPattern {
  return { candidates: (terms) => ordinalsOf(terms.prefixRange(prefix)) };
}

/** Cost of looking at a candidate, in postings. */
const CANDIDATE_UNITS = 64;

/**
 * The terms that fit a pattern and have a posting that the viewer may see, sorted by code point. Yields where it may
 * pause.
 * @throws `ERR_SEARCH_BUDGET` when there are more than the budget allows.
 */
export function* expandTerms(
  views: readonly SegmentView[],
  space: SpaceName,
  selection: FieldSelection,
  pattern: TermPattern,
  budget: WorkBudget,
): Generator<void, string[]> {
  const found = new Set<string>();
  for (const view of views) {
    const { terms } = view.segment.spaces[space];
    const visible = openVisibleSlots(view, space, selection);
    for (const ordinal of pattern.candidates(terms)) {
      budget.tick();
      if (budget.isStepDone(CANDIDATE_UNITS)) yield;
      const term = terms.term(ordinal);
      if (found.has(term) || pattern.matches?.(term) === false) continue;
      if (!isTermVisible(view.segment.spaces[space], ordinal, view, visible)) continue;
      found.add(term);
      budget.spendExpansion();
    }
  }
  return [...found].sort(compareByCodePoint);
}
