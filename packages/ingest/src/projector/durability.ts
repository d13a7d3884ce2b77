import { CodedError, type CodedErrorOptions, isCodedError } from '@cairn/errors';

const WRITTEN = 'what was written is durable and will be applied';
const UNWRITTEN = 'nothing was written';

/**
 * Waits for what must be before a write. Whatever ends the wait says that nothing was written: the caller MUST NOT append
 * then.
 * @throws `ERR_PROJECTION_BEHIND` (unavailable) where what is waited for is late, stands still or was stopped, else an
 *   error of the same code and kind
 */
export async function whileUnwritten<Result>(wait: () => Promise<Result>): Promise<Result> {
  try {
    return await wait();
  } catch (cause) {
    const { code, kind, message, retryable } = factsOf(cause);
    const isLate = kind === 'timeout' || kind === 'unavailable';
    throw new CodedError({
      ...(isLate ? { code: 'ERR_PROJECTION_BEHIND', kind: 'unavailable' } : { code, kind, retryable }),
      message: `${message}; ${UNWRITTEN}`,
      cause,
    });
  }
}

/**
 * Waits for what must follow an append. Whatever ends the wait says that the change is durable, and is not retryable: sent
 * again it would come twice.
 * @throws `ERR_DEAD_LETTER` as it is: the change is kept, and will not be applied; else an error of the same code and kind
 */
export async function whenWritten<Result>(wait: () => Promise<Result>, what: string = WRITTEN): Promise<Result> {
  try {
    return await wait();
  } catch (cause) {
    const { code, kind, message } = factsOf(cause);
    if (code === 'ERR_DEAD_LETTER') throw cause;
    throw new CodedError({ code, kind, message: `${message}; ${what}`, retryable: false, cause });
  }
}

/** An error of a stranger is what a projector has failed with; its text stays with the operator. */
function factsOf(error: unknown): Pick<CodedErrorOptions, 'code' | 'kind' | 'message' | 'retryable'> {
  if (isCodedError(error)) return error;
  return { code: 'ERR_PROJECTOR_FAILED', kind: 'unavailable', message: 'a projector has failed' };
}
