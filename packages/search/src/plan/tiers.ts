import type { FieldSelection } from '../mapping/field-selection.ts';
import type { Fuzziness } from '../port/search-index.ts';
import type { SpaceName } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { beginningWith, expandTerms } from './expand.ts';
import { expandFuzzy } from './fuzzy.ts';
import type { PlanOf, Tier } from './plan.ts';
import type { WorkBudget } from './work-budget.ts';

/** Shares of a word's weight: a document of a better tier scores above all of the worse, whatever its length. */
const EXACT = { floor: 1 / 2, ceiling: 1 };
const PREFIX = { floor: 1 / 4, ceiling: 1 / 2 };
const FUZZY = [
  { floor: 1 / 8, ceiling: 1 / 4 },
  { floor: 0, ceiling: 1 / 8 },
] as const;

/** Letters from which on a word may have one and two letters wrong. */
const ONE_EDIT_LENGTH = 4;
const TWO_EDITS_LENGTH = 8;

/** How many letters of a word may be wrong. */
export function toDistance(fuzziness: Fuzziness, word: string): number {
  if (fuzziness !== 'auto') return fuzziness;
  const { length } = Array.from(word);
  return length < ONE_EDIT_LENGTH ? 0 : length < TWO_EDITS_LENGTH ? 1 : 2;
}

/** One word that may be typed wrongly, or not to its end. */
export interface TypedWord {
  readonly key: string;
  readonly space: SpaceName;
  readonly selection: FieldSelection;
  readonly boost: number;
  /** Its term; `undefined` for a stop word. */
  readonly term: string | undefined;
  /** The beginning of the terms that it may become; `undefined` when it is whole. */
  readonly prefix?: string | undefined;
  readonly fuzziness: Fuzziness;
}

/** The plan of a typed word: the term itself, then what begins so, then what is near, in visible terms. Yields. */
export function* compileTypedWord(
  { key, space, selection, boost, term, prefix, fuzziness }: TypedWord,
  views: readonly SegmentView[],
  budget: WorkBudget,
): Generator<void, PlanOf<'tiers'>> {
  const known = new Set<string>();
  const tiers: Tier[] = [];
  const add = (terms: readonly string[], shares: Omit<Tier, 'terms'>): void => {
    const further = terms.filter((candidate) => !known.has(candidate));
    for (const candidate of further) known.add(candidate);
    if (further.length > 0) tiers.push({ terms: further, ...shares });
  };
  if (term !== undefined) add([term], EXACT);
  if (prefix !== undefined) add(yield* expandTerms(views, space, selection, beginningWith(prefix), budget), PREFIX);
  const word = term ?? prefix ?? '';
  const most = toDistance(fuzziness, word);
  const near = most === 0 ? [] : yield* expandFuzzy(views, { space, selection, word, most, keepsFirst: true }, budget);
  for (const [i, shares] of FUZZY.entries()) {
    add(
      near.filter(({ distance }) => distance === i + 1).map((found) => found.term),
      shares,
    );
  }
  return { type: 'tiers', key, space, selection, boost, tiers };
}
