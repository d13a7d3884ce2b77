import { CodedError, toSourcePosition } from '@cairn/errors';

/** `ERR_SPARQL_SYNTAX` (invalid): a token that the grammar does not expect where it is. */
export function unexpectedToken(text: string, offset: number, found: string, expected: readonly string[]): CodedError {
  const position = toSourcePosition(text, offset);
  return new CodedError({
    code: 'ERR_SPARQL_SYNTAX',
    kind: 'invalid',
    message: `not SPARQL: ${found} at line ${position.line}, column ${position.column} is not expected there`,
    position,
    expected,
  });
}

/** `ERR_SPARQL_SYNTAX` (invalid): what the grammar allows and a rule beside it does not; the rule was broken before here. */
export function brokenRule(text: string, offset: number, error: unknown): CodedError {
  return new CodedError({
    code: 'ERR_SPARQL_SYNTAX',
    kind: 'invalid',
    message: `not SPARQL: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    cause: error,
    position: toSourcePosition(text, offset),
  });
}

/** `ERR_SPARQL_SYNTAX` (invalid): what the grammar allows and the translation does not. */
export function misplaced(message: string): CodedError {
  return new CodedError({ code: 'ERR_SPARQL_SYNTAX', kind: 'invalid', message });
}

/** `ERR_SPARQL_DEPTH` (too-large): what is nested deeper than parser or stack go, or has too many siblings. */
export function tooDeep(cause?: unknown): CodedError {
  const message = 'the groups and expressions of the query are nested too deeply';
  return new CodedError({ code: 'ERR_SPARQL_DEPTH', kind: 'too-large', message, cause });
}

/** `ERR_SPARQL_LENGTH` (too-large) */
export function tooLong(message: string): CodedError {
  return new CodedError({ code: 'ERR_SPARQL_LENGTH', kind: 'too-large', message });
}

/** `ERR_SPARQL_LENGTH` (too-large): more patterns than a plan is made for. */
export function tooManyParts(bound: number): CodedError {
  return tooLong(`a query has at most ${bound} patterns, filters, paths, keys and columns; got more`);
}
