import { CodedError, isCodedError } from '@cairn/errors';

/** `ERR_EXTRACTION` (invalid): the document is malformed. The message never holds its content. */
export function malformed(what: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_EXTRACTION', kind: 'invalid', message: what, cause });
}

/** `ERR_EXTRACTION` (invalid): the document goes over a limit, which the message names. */
export class ExtractionLimitError extends CodedError {
  constructor(what: string, limit: number, unit: string) {
    super({
      code: 'ERR_EXTRACTION',
      kind: 'invalid',
      message: `${what} must be at most ${limit} ${unit}; the document has more`,
    });
  }
}

/** Error of text beyond its limit; the document is not suspect, and is found by its metadata. */
export class TooMuchTextError extends ExtractionLimitError {
  constructor(what: string, limitBytes: number) {
    super(what, limitBytes, 'bytes');
  }
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
