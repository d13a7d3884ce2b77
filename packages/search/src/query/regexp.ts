import { RegExpParser } from './regexp-parser.ts';
import { MAX_STATES, RegExpProgram } from './regexp-program.ts';

/** A compiled regular expression: whether a whole text fits. */
export type TextMatcher = (text: string) => boolean;

/**
 * Compiles a regular expression of characters, `.`, classes, `\d \w \s`, groups, `|` and `* + ? {n,m}`. It is run as a
 * set of states, so that a text costs O(length times states) whatever the expression.
 * @throws `ERR_QUERY_SYNTAX` with a position in `query`, where the expression is at `offset`.
 */
export function compileRegExp(pattern: string, query: string, offset: number): TextMatcher {
  const parser = new RegExpParser(pattern, query, offset);
  const program = new RegExpProgram(parser.parse(), () => parser.fail(`needs more than ${MAX_STATES} states`));
  return (text) => program.matches(text);
}
