import { CodedError, isCodedError, toSourcePosition } from '@cairn/errors';
import { MAX_LABEL_DEPTH, MAX_LABEL_LENGTH } from './label.ts';

export function labelSyntaxError(
  text: string,
  offset: number,
  problem: string,
  expected: readonly string[],
): CodedError {
  const position = toSourcePosition(text, offset);
  const message = `label is malformed at line ${position.line}, column ${position.column}: ${problem}`;
  return new CodedError({ code: 'ERR_LABEL_SYNTAX', kind: 'invalid', message, position, expected });
}

export function labelTooLong(length: number): CodedError {
  const message = `label must have at most ${MAX_LABEL_LENGTH} characters; got ${length}`;
  return new CodedError({ code: 'ERR_LABEL_TOO_LARGE', kind: 'too-large', message });
}

export function labelTooDeep(): CodedError {
  const message = `label must nest at most ${MAX_LABEL_DEPTH} levels deep`;
  return new CodedError({ code: 'ERR_LABEL_TOO_LARGE', kind: 'too-large', message });
}

/** Returns what is computed from labels; `undefined` when one of them is malformed, or the result too large. */
export function orUndefined<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}
