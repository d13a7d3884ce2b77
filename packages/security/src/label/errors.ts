import { CodedError, toSourcePosition } from '@cairn/errors';
import { MAX_LABEL_DEPTH, MAX_LABEL_LENGTH } from './label.ts';

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

export function labelTooLong(length: number): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TOO_LARGE',
    kind: 'too-large',
    message: `label must have at most ${MAX_LABEL_LENGTH} characters; got ${length}`,
  });
}

export function labelTooDeep(): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TOO_LARGE',
    kind: 'too-large',
    message: `label must nest at most ${MAX_LABEL_DEPTH} levels deep`,
  });
}
