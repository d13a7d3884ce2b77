import { checkText } from '@cairn/errors';

/** Relation of a {@link LabelTest}: at least one value of the user is (`=`), or is not (`!=`), the label's value. */
export type LabelRelation = '=' | '!=';

/** One comparison of an attribute. A bare attribute `a` is `a=true`. */
export interface LabelTest {
  readonly kind: 'test';
  readonly attribute: string;
  readonly relation: LabelRelation;
  readonly value: string;
}

/** Every item must hold (`all`, written `&`), or at least one (`any`, written `|`). Two items or more. */
export interface LabelGroup {
  readonly kind: 'all' | 'any';
  readonly items: readonly LabelExpression[];
}

/** A label without `*`, `!` and commas. */
export type LabelExpression = LabelTest | LabelGroup;

/**
 * A parsed security label. Immutable.
 *
 * - `everyone` is `*`, `nobody` is `!`
 * - `list` is a comma-separated list, of which every item must hold: none (the empty list), or two or more
 */
export type Label =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'list'; readonly items: readonly LabelExpression[] }
  | LabelExpression;

/** Length of the longest label read, in UTF-16 code units. */
export const MAX_LABEL_LENGTH = 65_536;

/** Deepest nesting of parentheses read; a list of two or more items counts as one level. */
export const MAX_LABEL_DEPTH = 100;

const ONLY_SPACE = /^[ \t\r\n]*$/;

/** Returns true if a label is the empty list, which decides nothing: callers use the default label instead. */
export function isEmptyLabel(label: string): boolean {
  checkText(label, 'a label');
  return label === '' || ONLY_SPACE.test(label);
}
