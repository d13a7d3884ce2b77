import { BIGRAM, PART } from '../analysis/token-kind.ts';
import { TokenScanner } from '../analysis/token-scanner.ts';
import { isIri } from '../mapping/value.ts';
import { parseQuery } from '../query/parser.ts';
import type { Query } from '../query/query.ts';

/**
 * The query of a request: `query` is parsed; `term` is each of its words, of which any matches; `phrase` is the whole
 * text in order.
 */
export function toQuery(text: string, type: 'query' | 'term' | 'phrase'): Query {
  if (type === 'query') return parseQuery(text);
  if (type === 'phrase') return { type: 'phrase', text, slop: 0 };
  return { type: 'boolean', clauses: toTerms(text).map((query) => ({ occur: 'should', query })) };
}

/** Words as white space cuts them, each split further as text is; repeated words count as often. */
function toTerms(text: string): Query[] {
  const counts = new Map<string, number>();
  for (const word of text.split(/\s+/)) {
    for (const part of toParts(word)) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return [...counts].map(([word, count]): Query => {
    const query: Query = { type: 'term', text: word };
    return count === 1 ? query : { type: 'boost', query, boost: count };
  });
}

/** A word that is an IRI stays whole; others are cut where text is. */
function toParts(word: string): string[] {
  const parts: string[] = [];
  const scanner = new TokenScanner();
  scanner.open(word);
  while (scanner.next()) {
    const { start, end, kind } = scanner;
    if (kind === PART || kind === BIGRAM) parts.push(word.slice(start, end));
  }
  return parts.length > 1 && !isIri(word) ? parts : word === '' ? [] : [word];
}
