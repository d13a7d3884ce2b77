import { throwIfAborted } from '@cairn/errors';

/** Calls back once with the error to fail with when a signal is aborted. Returns what stops listening. */
export function onAbort(signal: AbortSignal | undefined, fail: (error: unknown) => void): () => void {
  const listener = (): void => {
    try {
      throwIfAborted(signal);
    } catch (error) {
      fail(error);
    }
  };
  signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}
