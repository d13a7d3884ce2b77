import { CodedError, type SourcePosition, toSourcePosition } from '@cairn/errors';
import type * as Ast from 'sparqljs';
import sparqljs from 'sparqljs';
import { QUERY_TERMS } from './term-factory.ts';

/** A query or an update as sparqljs gives it. */
export type Syntax = Ast.SparqlQuery;

/** Longer texts are refused, in UTF-16 code units: the parser works at one go, at some 100,000 characters a second. */
export const MAX_QUERY_LENGTH: number = 1 << 20;

interface ParserHash {
  readonly text?: string;
  readonly token?: string;
  readonly expected?: readonly string[];
  readonly loc?: { readonly last_line: number; readonly last_column: number };
}

/**
 * Parses SPARQL 1.1 with triple terms. The one door to the parser.
 * @throws `ERR_SPARQL_SYNTAX` (invalid) with position and what was expected.
 */
export function parseSparql(text: string, baseIri?: string): Syntax {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new CodedError({
      code: 'ERR_SPARQL_LENGTH',
      kind: 'too-large',
      message: `a SPARQL text has at most ${MAX_QUERY_LENGTH} characters; got ${text.length}`,
    });
  }
  try {
    const base = baseIri === undefined ? {} : { baseIRI: baseIri };
    const parser = new sparqljs.Parser({ sparqlStar: true, factory: QUERY_TERMS, ...base });
    return parser.parse(text);
  } catch (error) {
    throw toSyntaxError(text, error);
  }
}

function toSyntaxError(text: string, error: unknown): CodedError {
  const hash = (error as { hash?: ParserHash }).hash ?? {};
  const expected = hash.expected?.map((token) => token.replace(/^'|'$/g, ''));
  const position = hash.loc === undefined ? undefined : positionOf(text, hash.loc, hash.text ?? '');
  return new CodedError({
    code: 'ERR_SPARQL_SYNTAX',
    kind: 'invalid',
    message: messageOf(error, hash, position),
    cause: error,
    position: position ?? toSourcePosition(text, 0),
    ...(expected === undefined ? {} : { expected }),
  });
}

/** The parser says where the last good token ends: the offending one comes next. */
function positionOf(text: string, loc: { last_line: number; last_column: number }, token: string): SourcePosition {
  let offset = 0;
  for (let line = 1; line < loc.last_line; line++) {
    const next = text.indexOf('\n', offset);
    if (next < 0) break;
    offset = next + 1;
  }
  const found = text.indexOf(token, offset + loc.last_column);
  return toSourcePosition(text, found < 0 ? text.length : found);
}

function messageOf(error: unknown, hash: ParserHash, position: SourcePosition | undefined): string {
  if (hash.expected === undefined || position === undefined) {
    return `not SPARQL: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
  const found =
    hash.token === 'EOF' ? 'the end' : hash.token === 'INVALID' ? 'a character no token starts with' : hash.token;
  return `not SPARQL: ${found} at line ${position.line}, column ${position.column} is not expected there`;
}
