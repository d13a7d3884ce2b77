import { type ErrorKind, isCodedError } from '@cairn/errors';
import { isValueLost } from '@cairn/events';

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
  // As `AbortSignal.throwIfAborted` and `fetch` throw it.
  const isCancellation = error instanceof Error && error.name === 'AbortError';
  return isCancellation || systemCode(error) !== undefined ? 'surroundings' : 'content';
}

/** Returns true if only the event itself is to blame. */
export function isOfContent(error: unknown): boolean {
  return faultOf(error) === 'content';
}

/** The code of an operating system error, `EIO`, also behind uncoded errors and defects; `undefined` for others. */
export function systemCode(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (isCodedError(cause) && cause.kind !== 'internal') return undefined;
    const { code, syscall, errno } = cause as Error & { code?: unknown; syscall?: unknown; errno?: unknown };
    const isOfSystem = typeof syscall === 'string' || typeof errno === 'number';
    if (typeof code === 'string' && isOfSystem && SYSTEM_CODE.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

export function isDamage(error: unknown): boolean {
  return isCodedError(error) && error.kind === 'corrupt';
}

/** Nothing that mends itself: a topic that is damaged, or a position that the log does not know, is for an operator. */
export function isFinal(error: unknown): boolean {
  if (faultOf(error) === 'content') return true;
  return isCodedError(error) && (error.code === 'ERR_LOG_CLOSED' || (error.kind === 'corrupt' && !error.retryable));
}

/** A refusal by a file may concern a single event of a batch, so those before it need not wait. */
export function mayBeOfOneEvent(error: unknown): boolean {
  return isValueLost(error) || systemCode(error) !== undefined;
}

/** It waits for others, which tell of themselves. */
export function isWaiting(error: unknown): boolean {
  if (!isCodedError(error)) return false;
  return error.code === 'ERR_PROJECTION_BEHIND' || error.kind === 'overloaded' || error.kind === 'cancelled';
}

/** The code of an error, which names no file. */
export function codeOf(error: unknown): string {
  return isCodedError(error) ? error.code : (systemCode(error) ?? 'unknown');
}
