import { type ErrorKind, isCodedError } from '@cairn/errors';

/**
 * Where the fault lies that kept an event from being applied:
 *
 * - `content`: in the event itself. The same again fails again, so it is a dead letter
 * - `time`: in a time limit. Worth some tries; then the event is to blame
 * - `surroundings`: in what is read and written, or in a part that is away. The event waits until that is mended, and is
 *   never a dead letter
 */
export type Fault = 'content' | 'time' | 'surroundings';

/** Kinds that say nothing of the event: the same one may be applied later. */
const SURROUNDINGS: ReadonlySet<ErrorKind> = new Set(['unavailable', 'overloaded', 'cancelled', 'corrupt']);
const MAX_CAUSES = 20;
/** Those of Node itself, `ERR_...`, and of zlib, `Z_...`, are told apart by their underline. */
const SYSTEM_CODE = /^E[A-Z0-9]+$/;

/**
 * Where the fault of an error lies: the one place that decides between a dead letter and another try. An error of a
 * stranger is a defect that the content has met, unless the operating system or a cancellation is behind it.
 */
export function faultOf(error: unknown): Fault {
  if (isCodedError(error)) {
    if (error.kind === 'timeout') return 'time';
    if (error.retryable || SURROUNDINGS.has(error.kind)) return 'surroundings';
    // Every other kind is a judgement of what was read; a defect may have the system behind it.
    if (error.kind !== 'internal') return 'content';
  }
  return isCancellation(error) || systemCode(error) !== undefined ? 'surroundings' : 'content';
}

/** Returns true if only the event itself is to blame. */
export function isOfContent(error: unknown): boolean {
  return faultOf(error) === 'content';
}

/**
 * Returns the code of an operating system error: `EIO`, `EMFILE`. Also looks at the cause of uncoded errors and
 * defects; `undefined` for every other error.
 */
export function systemCode(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (isCodedError(cause) && cause.kind !== 'internal') return undefined;
    const { code, syscall, errno } = cause as Error & SystemError;
    const isOfSystem = typeof syscall === 'string' || typeof errno === 'number';
    if (typeof code === 'string' && isOfSystem && SYSTEM_CODE.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

/** The fields that tell an error of the system from others. */
interface SystemError {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errno?: unknown;
}

/** As `AbortSignal.throwIfAborted` and `fetch` throw it. */
function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
