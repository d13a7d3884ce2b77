import { CodedError, toSourcePosition } from '@cairn/errors';
import { MAX_LABEL_DEPTH, MAX_LABEL_LENGTH } from './label.ts';

/** The error of a label that does not follow the grammar. */
export function labelSyntaxError(
  text: string,
  offset: number,
  problem: string,
  expected: readonly string[],
): CodedError {
  const position = toSourcePosition(text, offset);
  return new CodedError({
    code: 'ERR_LABEL_SYNTAX',
    kind: 'invalid',
    message: `label is malformed at line ${position.line}, column ${position.column}: ${problem}`,
    position,
    expected,
  });
}

/** The error of a label that is longer than {@link MAX_LABEL_LENGTH}. */
export function labelTooLong(length: number): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TOO_LARGE',
    kind: 'too-large',
    message: `label must have at most ${MAX_LABEL_LENGTH} characters; got ${length}`,
  });
}

/** The error of a label that nests deeper than {@link MAX_LABEL_DEPTH}. */
export function labelTooDeep(): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TOO_LARGE',
    kind: 'too-large',
    message: `label must nest at most ${MAX_LABEL_DEPTH} levels deep`,
  });
}
