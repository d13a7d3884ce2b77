import type { Analyzer } from './analyzer.ts';
import { BIGRAM, CHARACTER, COMPOUND, EXACT, takesPosition } from './token-kind.ts';
import { TokenScanner } from './token-scanner.ts';

/** A term that a query looks for, and its position in the query's text. */
export interface QueryTerm {
  readonly term: string;
  readonly position: number;
}

/**
 * The terms that stand for a text of a query: compounds by their parts, in order, so that they are found however they
 * are joined; acronyms and names such as `C++` by the whole; Chinese characters and kana by bigrams, a lone one by
 * itself. Terms of stop words are left out.
 */
export function toQueryTerms(analyzer: Analyzer, text: string): QueryTerm[] {
  return readTerms(analyzer, text).terms;
}

interface FoundTerm extends QueryTerm {
  /** Where its surface form begins, in UTF-16 units. */
  readonly start: number;
}

/** The terms of a text of a query, and whether it has the term of the whole of a compound. */
function readTerms(analyzer: Analyzer, text: string): { readonly terms: FoundTerm[]; readonly hasWhole: boolean } {
  const terms: FoundTerm[] = [];
  let hasWhole = false;
  analyzer.analyze(text, (term, position, start, _end, kind) => {
    if (kind === COMPOUND || kind === EXACT) hasWhole = true;
    if (kind === COMPOUND || kind === CHARACTER) return;
    if (kind === EXACT) while (terms.length > 0 && terms[terms.length - 1].start >= start) terms.pop();
    terms.push({ term, position, start });
  });
  return { terms, hasWhole };
}

interface QueryText {
  /** As {@link toQueryTerms} gives them. */
  readonly terms: readonly FoundTerm[];
  /**
   * The readings of which any finds a document: that of `terms`, and, where there are compounds, one in which each is
   * the other way: a compound is its whole and takes one position, an acronym is its parts. So `wi-fi` finds `wifi`, and
   * `a.b` finds `a b`. Empty readings are left out.
   */
  readonly readings: readonly (readonly QueryTerm[])[];
}

/** Terms and readings at once, for most texts in one pass. */
export function readQueryText(analyzer: Analyzer, text: string): QueryText {
  const { terms, hasWhole } = readTerms(analyzer, text);
  // Without the term of a whole both readings are the parts.
  if (!hasWhole) return { terms, readings: terms.length === 0 ? [] : [terms] };
  const other = toOtherTerms(analyzer, text);
  const isSame = terms.length === other.length && terms.every(({ term }, number) => term === other[number].term);
  const readings = isSame ? [terms] : [terms, other];
  return { terms, readings: readings.filter(({ length }) => length > 0) };
}

function toOtherTerms(analyzer: Analyzer, text: string): QueryTerm[] {
  const scanner = new TokenScanner();
  /** Each position with where its text begins; stop words have no term. */
  let words: { readonly term: string | undefined; readonly start: number }[] = [];
  scanner.open(text);
  while (scanner.next()) {
    const { start, end, hash, kind } = scanner;
    const term = kind === CHARACTER ? undefined : analyzer.termOf(text, start, end, hash);
    if (takesPosition(kind)) words.push({ term, start });
    else if (kind === BIGRAM) words[words.length - 1] = { ...words[words.length - 1], term };
    else if (term !== undefined && (kind === COMPOUND || words.at(-1)?.start === start)) {
      words = [...words.filter((word) => word.start < start), { term, start }];
    }
  }
  return words.flatMap(({ term }, position) => (term === undefined ? [] : [{ term, position }]));
}
