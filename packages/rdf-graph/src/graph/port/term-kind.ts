/** A small integer that stands for one term in one dictionary. */
export type TermId = number;

/** The id of no term: an unbound position. */
export const UNBOUND: TermId = 0;

/** The id of the default graph in every dictionary. */
export const DEFAULT_GRAPH_ID: TermId = 1;

/** Kind of a term; the numbers are stored in snapshots and must not change. */
export const TermKind = {
  none: 0,
  defaultGraph: 1,
  iri: 2,
  blankNode: 3,
  /** A literal of type xsd:string. */
  string: 4,
  /** A literal with a language tag; the companion id names the tag. */
  languageString: 5,
  /** Any other literal; the companion id is that of its datatype. */
  typed: 6,
  /** A quoted triple; its bytes are the ids of its terms. */
  triple: 7,
  /** A language tag: not a term, but interned beside them. */
  language: 8,
} as const;
Object.freeze(TermKind);

export function isLiteralKind(kind: number): boolean {
  return kind === TermKind.string || kind === TermKind.languageString || kind === TermKind.typed;
}
