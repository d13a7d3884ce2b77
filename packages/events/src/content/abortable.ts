import { throwIfAborted } from '@cairn/errors';

/**
 * The items of a source until a signal aborts. Does not wait for a source that stalls: it is told to end, and the abort
 * thrown at once.
 * @throws the signal's reason when that is a `CodedError`, else `ERR_CANCELLED` (cancelled)
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  const abort = abortOf(signal);
  let isDone = false;
  try {
    while (!isDone) {
      throwIfAborted(signal);
      const next = await Promise.race([iterator.next(), abort.promise]);
      isDone = next === undefined || next.done === true;
      if (next !== undefined && next.done !== true) yield next.value;
    }
    throwIfAborted(signal);
  } finally {
    abort.forget();
    if (!isDone || signal.aborted) iterator.return?.()?.catch(() => undefined);
  }
}

function abortOf(signal: AbortSignal): { readonly promise: Promise<undefined>; readonly forget: () => void } {
  let forget = (): void => undefined;
  const promise = new Promise<undefined>((resolve) => {
    const aborted = (): void => resolve(undefined);
    signal.addEventListener('abort', aborted);
    forget = () => signal.removeEventListener('abort', aborted);
  });
  return { promise, forget };
}
