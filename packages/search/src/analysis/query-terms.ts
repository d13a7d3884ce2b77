import type { Analyzer } from './analyzer.ts';
import { COMPOUND, EXACT } from './token-scanner.ts';

/** A term that a query looks for, and its position in the query's text. */
export interface QueryTerm {
  readonly term: string;
  readonly position: number;
}

/**
 * The terms that stand for a text of a query: compounds by their parts, in order, so that they are found however they
 * are joined; acronyms and names such as `C++` by the whole. Terms of stop words are left out.
 */
export function toQueryTerms(analyzer: Analyzer, text: string): QueryTerm[] {
  const found: (QueryTerm & { readonly start: number })[] = [];
  analyzer.analyze(text, (term, position, start, _end, kind) => {
    if (kind === COMPOUND) return;
    if (kind === EXACT) while (found.length > 0 && found.at(-1)!.start >= start) found.pop();
    found.push({ term, position, start });
  });
  return found.map(({ term, position }) => ({ term, position }));
}
