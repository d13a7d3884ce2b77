import { readableOnce, throwIfAborted } from '@cairn/errors';

/**
 * Yields the items of a source until a signal aborts. Does not wait for a source that stalls: it is told to end, and
 * the abort is thrown at once.
 * @throws the signal's reason when that is a `CodedError`, else `ERR_CANCELLED` (cancelled)
 */
export function abortable<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  return readableOnce(untilAborted(source, signal));
}

async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  const abort = new AbortGate(signal);
  let isDone = false;
  try {
    while (!isDone) {
      throwIfAborted(signal);
      const next = await abort.orSooner(iterator.next());
      isDone = next === undefined || next.done === true;
      if (next !== undefined && next.done !== true) yield next.value;
    }
    throwIfAborted(signal);
  } finally {
    abort.close();
    if (!isDone || signal.aborted) iterator.return?.()?.catch(() => undefined);
  }
}

/**
 * Ends waiting when a signal aborts. A race with one promise of the abort would keep the result of every race until
 * that promise settles, that is, all of a stream; this holds on to nothing.
 */
class AbortGate {
  readonly #signal: AbortSignal;
  readonly #listener = (): void => this.#stop?.();
  #stop: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#listener);
  }

  /** Returns the result of a promise, or `undefined` when the signal aborts first. */
  orSooner<Result>(promise: Promise<Result>): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      if (this.#signal.aborted) this.#stop();
      promise.then(resolve, reject);
    });
  }

  close(): void {
    this.#stop = undefined;
    this.#signal.removeEventListener('abort', this.#listener);
  }
}
