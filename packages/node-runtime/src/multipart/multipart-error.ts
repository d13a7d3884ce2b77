import { CodedError, type ErrorKind, isCodedError } from '@cairn/errors';

/** An `ERR_MULTIPART` error; `invalid` unless another kind is named. */
export function multipartError(message: string, kind: ErrorKind = 'invalid', cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_MULTIPART', kind, message, cause, retryable: false });
}

/** The error of a body of another type. */
export function mediaTypeError(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_MEDIA_TYPE', kind: 'unsupported', message, cause });
}

/** The `ERR_MULTIPART` error of a limit: what, the value and the bound. */
export function limitError(what: string, value: number | string, limit: number): CodedError {
  return multipartError(`${what} must be at most ${limit}; got ${value}`, 'too-large');
}

/** Any error of the parser as a coded one; coded errors pass. */
export function toMultipartError(error: unknown): CodedError {
  if (isCodedError(error)) return error;
  const detail = error instanceof Error ? error.message : 'unknown';
  return multipartError(`the multipart body is malformed: ${detail}`, 'invalid', error);
}
