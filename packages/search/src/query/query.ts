/** A piece of a wildcard pattern: literal text, `*` (any characters) or `?` (one character). */
export type WildcardPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'any' }
  | { readonly type: 'one' };

export type Occur = 'must' | 'should' | 'mustNot';

export interface Clause {
  readonly occur: Occur;
  readonly query: Query;
}

/** One end of a range. */
export interface Bound {
  readonly value: string;
  readonly inclusive: boolean;
}

/** A clause that looks at fields: at those of a pattern, or at the default ones. */
interface Fielded {
  readonly field?: string | undefined;
}

export type Query =
  | { readonly type: 'boolean'; readonly clauses: readonly Clause[] }
  | { readonly type: 'boost'; readonly query: Query; readonly boost: number }
  | { readonly type: 'all' }
  | { readonly type: 'document'; readonly id: string }
  | { readonly type: 'exists'; readonly field: string }
  | (Fielded & { readonly type: 'term'; readonly text: string })
  | (Fielded & { readonly type: 'phrase'; readonly text: string; readonly slop: number })
  | (Fielded & { readonly type: 'wildcard'; readonly parts: readonly WildcardPart[] })
  | (Fielded & { readonly type: 'fuzzy'; readonly text: string; readonly distance: number })
  | (Fielded & { readonly type: 'regexp'; readonly pattern: string; readonly offset: number })
  | (Fielded & { readonly type: 'range'; readonly lower?: Bound | undefined; readonly upper?: Bound | undefined });
