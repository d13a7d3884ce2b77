import { CodedError, toSourcePosition } from '@cairn/errors';

/** The error of a query that does not parse: `ERR_QUERY_SYNTAX` (invalid) with where and what was expected. */
export function querySyntaxError(
  text: string,
  offset: number,
  problem: string,
  expected: readonly string[],
): CodedError {
  const position = toSourcePosition(text, offset);
  const wanted = expected.length > 0 ? `; expected ${expected.join(' or ')}` : '';
  return new CodedError({
    code: 'ERR_QUERY_SYNTAX',
    kind: 'invalid',
    message: `${problem} at line ${position.line}, column ${position.column}${wanted}`,
    position,
    expected,
  });
}
