import { CodedError } from '@cairn/errors';
import type * as Ast from 'sparqljs';
import { runGrammar } from './driver.ts';
import { beginText } from './grammar.ts';

/** A query or an update as sparqljs gives it. */
export type Syntax = Ast.SparqlQuery;

/** Longer texts are refused, in UTF-16 code units: a text is parsed at one go. */
export const MAX_QUERY_LENGTH: number = 1 << 20;

/**
 * Parses SPARQL 1.1 with triple terms. The one door to the parser.
 * @throws `ERR_SPARQL_SYNTAX` (invalid) with position and what was expected, `ERR_SPARQL_LENGTH` (too-large).
 */
export function parseSparql(text: string, baseIri?: string): Syntax {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new CodedError({
      code: 'ERR_SPARQL_LENGTH',
      kind: 'too-large',
      message: `a SPARQL text has at most ${MAX_QUERY_LENGTH} characters; got ${text.length}`,
    });
  }
  beginText(baseIri ?? '');
  return runGrammar(text) as Syntax;
}
