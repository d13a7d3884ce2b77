import { CodedError, isCodedError } from '@cairn/errors';

/** `ERR_EXTRACTION` (invalid): the document is malformed. The message never holds its content. */
export function malformed(what: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_EXTRACTION', kind: 'invalid', message: what, cause });
}

/** `ERR_EXTRACTION` (invalid): the document goes over a limit, which the message names. */
export class ExtractionLimitError extends CodedError {
  constructor(what: string, limit: number, unit: string) {
    const message = `${what} must be at most ${limit} ${unit}; the document has more`;
    super({ code: 'ERR_EXTRACTION', kind: 'invalid', message });
  }
}

/** Error of text beyond its limit; the document is not suspect, and is found by its metadata. */
export class TooMuchTextError extends ExtractionLimitError {}

/** A ratio says nothing about a small piece: a kilobyte of spaces is no bomb. */
const RATIO_COUNTS_FROM = 4 * 1024 * 1024;

/** @throws {@link ExtractionLimitError} when a piece swells more than it may */
export function checkRatio(what: string, size: number, packedSize: number, maxRatio: number): void {
  if (size <= RATIO_COUNTS_FROM || size <= packedSize * maxRatio) return;
  throw new ExtractionLimitError(`the compression ratio of ${what}`, maxRatio, 'to 1');
}

/** Any error of a format's library as `ERR_EXTRACTION`; coded errors pass. */
export function toExtractionError(error: unknown, contentType: string): CodedError {
  if (isCodedError(error)) return error;
  return malformed(`the document is not a well-formed ${contentType}: ${toSafeDetail(error)}`, error);
}

/** Returns a library's message up to where it begins to quote the document. */
export function toSafeDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  return (/^[^:"'`<\n]{0,100}/.exec(message)?.[0] ?? '').trim();
}
