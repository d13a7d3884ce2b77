import type { FieldSelection } from '../mapping/field-selection.ts';
import type { SpaceName } from '../segment/space.ts';

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
  readonly lower?: { readonly value: string; readonly inclusive: boolean } | undefined;
  readonly upper?: { readonly value: string; readonly inclusive: boolean } | undefined;
}

/** Spans of a range for each type of value; a type without a span matches nothing. */
export interface RangeSpans {
  readonly numbers: NumericSpan | undefined;
  readonly instants: NumericSpan | undefined;
  readonly keywords: TextSpan | undefined;
  readonly terms: TextSpan | undefined;
}

/** A leaf with statistics: `key` is equal for the same leaf in every index of one operation. */
interface Scored {
  readonly key: string;
  readonly space: SpaceName;
  readonly selection: FieldSelection;
}

export type Plan =
  | { readonly type: 'none' }
  | { readonly type: 'all'; readonly boost: number }
  | (Scored & { readonly type: 'term'; readonly term: string; readonly boost: number })
  | (Scored & {
      readonly type: 'phrase';
      readonly words: readonly PhraseWord[];
      readonly slop: number;
      readonly boost: number;
    })
  | {
      readonly type: 'terms';
      readonly space: SpaceName;
      readonly selection: FieldSelection;
      readonly terms: readonly string[];
      readonly boost: number;
    }
  | { readonly type: 'exists'; readonly selection: FieldSelection; readonly boost: number }
  | { readonly type: 'range'; readonly selection: FieldSelection; readonly spans: RangeSpans; readonly boost: number }
  | { readonly type: 'or'; readonly children: readonly Plan[] }
  | {
      readonly type: 'boolean';
      readonly must: readonly Plan[];
      readonly should: readonly Plan[];
      readonly mustNot: readonly Plan[];
    };
