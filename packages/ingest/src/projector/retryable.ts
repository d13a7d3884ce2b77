import { isCodedError } from '@cairn/errors';

/** Whether the same may succeed later. A stranger's error is a defect, and never is. */
export function isRetryable(error: unknown): boolean {
  return isCodedError(error) && error.retryable;
}
