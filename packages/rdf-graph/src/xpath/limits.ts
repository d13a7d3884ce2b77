import { ExpressionError } from './expression-error.ts';

/** The longest text that a function makes, in UTF-16 units; a longer one is an expression error. */
export const MAX_TEXT_LENGTH: number = 1 << 22;

/** The most digits that a number may have to be computed with; one of more is ill-typed, or an expression error. */
export const MAX_DIGITS = 4_096;

const TOO_LARGE = 10n ** BigInt(MAX_DIGITS);

/** Checks the length of a text that is about to be made. @throws ExpressionError when it is too long. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new ExpressionError(`a text of more than ${MAX_TEXT_LENGTH} characters`);
}

/** A text that was made. @throws ExpressionError when it is too long. */
export function boundedText(text: string): string {
  checkTextLength(text.length);
  return text;
}

/** A whole number that was computed. @throws ExpressionError when it has too many digits. */
export function boundedInteger(value: bigint): bigint {
  if (value >= TOO_LARGE || value <= -TOO_LARGE)
    throw new ExpressionError(`a number of more than ${MAX_DIGITS} digits`);
  return value;
}
