import { CodedError, type ErrorCode, type ErrorKind, isCodedError, type SourcePosition } from '@cairn/errors';

/** What a worker thread says to its pool. */
export type WorkerMessage<Result> =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'error'; readonly error: PortableError };

/** A {@link CodedError} as data, since a class does not survive the way between threads. */
export interface PortableError {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryable: boolean;
  readonly position?: SourcePosition | undefined;
  readonly expected?: readonly string[] | undefined;
}

/** An error as data. One that is not coded becomes `ERR_WORKER_TASK` (internal). */
export function toPortableError(error: unknown): PortableError {
  if (isCodedError(error)) {
    const { code, kind, message, retryable, position, expected } = error;
    return { code, kind, message, retryable, position, expected };
  }
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  return { code: 'ERR_WORKER_TASK', kind: 'internal', message: `the task failed: ${detail}`, retryable: false };
}

/** The error that {@link toPortableError} took apart. */
export function fromPortableError({ position, expected, ...error }: PortableError): CodedError {
  return new CodedError({
    ...error,
    ...(position === undefined ? {} : { position }),
    ...(expected === undefined ? {} : { expected }),
  });
}
