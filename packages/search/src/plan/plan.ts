import type { FieldSelection } from '../mapping/field-selection.ts';
import type { Bound } from '../query/query.ts';
import type { Raise } from '../scoring/boosts.ts';
import type { SpaceName } from '../segment/segment.ts';

/** One word of a phrase: the terms that may be there, and where that is relative to the others. */
export interface PhraseWord {
  readonly terms: readonly string[];
  readonly offset: number;
}

/** A span on the axis of numbers or instants; each end is included. */
export interface NumericSpan {
  readonly first: number;
  readonly last: number;
}

/** A span of texts by code point; an absent end is open. */
export interface TextSpan {
  readonly lower?: Bound | undefined;
  readonly upper?: Bound | undefined;
}

/** Spans of a range for each type of value; a type without a span matches nothing. */
export interface RangeSpans {
  readonly numbers: NumericSpan | undefined;
  readonly instants: NumericSpan | undefined;
  readonly keywords: TextSpan | undefined;
  readonly terms: TextSpan | undefined;
}

/** A leaf that looks for terms. */
interface Sought {
  readonly space: SpaceName;
  readonly selection: FieldSelection;
  readonly boost: number;
}

/** A leaf with statistics: `key` is equal for the same leaf in every index of one operation. */
interface Scored extends Sought {
  readonly key: string;
  /** The text that its terms were read from, for explanations. */
  readonly written?: string;
  /** Set where it is looked for instead of other text of the query, whose terms as rare as they are bound its weight. */
  readonly instead?: { readonly of: string; readonly terms: readonly string[]; readonly kind: string };
}

/** Terms that a word may stand for, and between which shares of its weight they score. */
export interface Tier {
  readonly terms: readonly string[];
  readonly floor: number;
  readonly ceiling: number;
}

export type Plan =
  | { readonly type: 'none' }
  | { readonly type: 'all'; readonly boost: number }
  | { readonly type: 'document'; readonly id: string }
  | (Scored & { readonly type: 'term'; readonly term: string })
  | (Scored & { readonly type: 'phrase'; readonly words: readonly PhraseWord[]; readonly slop: number })
  /** The first tier of which a document has any term gives its score; the first that has any term, the weight. */
  | (Scored & { readonly type: 'tiers'; readonly tiers: readonly Tier[] })
  | (Sought & { readonly type: 'terms'; readonly terms: readonly string[] })
  | { readonly type: 'exists'; readonly selection: FieldSelection; readonly boost: number }
  | { readonly type: 'range'; readonly selection: FieldSelection; readonly spans: RangeSpans; readonly boost: number }
  | { readonly type: 'boosted'; readonly plan: Plan; readonly raises: readonly Raise[] }
  | { readonly type: 'or'; readonly children: readonly Plan[] }
  | {
      readonly type: 'boolean';
      readonly must: readonly Plan[];
      readonly should: readonly Plan[];
      readonly mustNot: readonly Plan[];
    };

export type PlanOf<Type extends Plan['type']> = Extract<Plan, { type: Type }>;
