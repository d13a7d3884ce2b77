import type { FieldSelection } from '../mapping/field-selection.ts';
import { EditDistance } from '../query/edit-distance.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { expandTerms, type TermPattern } from './expand.ts';
import { walkFuzzy } from './fuzzy-walk.ts';
import type { WorkBudget } from './work-budget.ts';

/** Terms that a fuzzy word stands for at most: the nearest. */
const MAX_FUZZY_TERMS = 64;

export interface FuzzyTerm {
  readonly term: string;
  /** 1 for the word itself; less the further away, so that exact hits come first. */
  readonly similarity: number;
}

/** The visible terms within an edit distance of a word, the nearest first, equally near ones by code point. Yields. */
export function* expandFuzzy(
  views: readonly SegmentView[],
  selection: FieldSelection,
  word: string,
  distance: number,
  budget: WorkBudget,
): Generator<void, FuzzyTerm[]> {
  const measure = new EditDistance(word, distance);
  const pattern: TermPattern = { candidates: (terms) => walkFuzzy(terms, word, distance) };
  const terms = yield* expandTerms(views, 'text', selection, pattern, budget);
  return terms
    .map((term) => ({ term, distance: measure.to(term) ?? distance }))
    .sort((a, b) => a.distance - b.distance || compareByCodePoint(a.term, b.term))
    .slice(0, MAX_FUZZY_TERMS)
    .map(({ term, distance: edits }) => ({ term, similarity: 1 - edits / (Array.from(word).length + 1) }));
}
