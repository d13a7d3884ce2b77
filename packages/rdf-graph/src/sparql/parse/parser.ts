import { checkText } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import type * as Ast from 'sparqljs';
import { GrammarRun } from './driver.ts';
import { enterText, leaveText, type TextState } from './grammar.ts';
import { tooLong } from './syntax-error.ts';

/** A query or an update as sparqljs gives it. */
export type Syntax = Ast.SparqlQuery;

/** Longer texts are refused, in UTF-16 code units: a text is parsed at one go. */
export const MAX_QUERY_LENGTH: number = 1 << 20;

/** Tokens between two places to pause: some milliseconds. */
const SLICE_TOKENS = 4096;

/**
 * Parses SPARQL 1.1 with triple terms. The one door to the parser.
 * @throws `ERR_SPARQL_SYNTAX` (invalid) with position and what was expected, `ERR_SPARQL_LENGTH` and
 * `ERR_SPARQL_DEPTH` (too-large), `ERR_ARGUMENT` (invalid) for what is no text.
 */
export function parseSparql(text: string, baseIri?: string): Syntax {
  checkText(text, 'the query or update');
  return runAtOnce(parseInSlices(text, baseIri, Number.POSITIVE_INFINITY));
}

/** Like {@link parseSparql}, in slices: it yields after some thousand tokens. */
export function* parseInSlices(
  text: string,
  baseIri: string | undefined,
  sliceTokens: number = SLICE_TOKENS,
): Generator<void, Syntax> {
  if (text.length > MAX_QUERY_LENGTH) {
    throw tooLong(`a SPARQL text has at most ${MAX_QUERY_LENGTH} characters; got ${text.length}`);
  }
  const base = baseIri ?? '';
  const run = new GrammarRun(text, base);
  for (let state: TextState = { base, prefixes: Object.create(null) }; ; ) {
    enterText(state);
    const tree = run.advance(sliceTokens);
    if (tree !== undefined) return tree as Syntax;
    state = leaveText();
    yield;
  }
}
