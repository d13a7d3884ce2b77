import { isAsyncIterable, readableOnce } from '@cairn/errors';

/** A port whose implementation can be exchanged while it is used. */
export interface Switchable<Port extends object> {
  /** The port: every call goes to the implementation that is current at that moment. */
  readonly port: Port;
  /** Puts another implementation in place and returns the one before. Calls that run go on over the old one. */
  switchTo(next: Port): Port;
}

/**
 * A port that starts with one implementation.
 * @param onError is told what calls of the current implementation throw or reject with, and what is thrown where a
 *   result, or a property of one, is read as it comes; the caller gets it too
 */
export function createSwitchable<Port extends object>(
  initial: Port,
  onError?: (error: unknown) => void,
): Switchable<Port> {
  let current = initial;
  let methods = new Map<PropertyKey, unknown>();
  const port = new Proxy(initial, {
    get(_target, key) {
      const value: unknown = Reflect.get(current, key, current);
      if (typeof value !== 'function') return value;
      const known = methods.get(key);
      if (known !== undefined) return known;
      const bound: unknown = onError === undefined ? value.bind(current) : watched(value.bind(current), onError);
      methods.set(key, bound);
      return bound;
    },
    has: (_target, key) => key in current,
  });
  return {
    port,
    switchTo(next) {
      const before = current;
      current = next;
      methods = new Map();
      return before;
    },
  };
}

type Method = (...values: unknown[]) => unknown;

function watched(method: Method, onError: (error: unknown) => void): Method {
  const watch = (result: unknown): unknown => watchedResult(result, onError);
  const fail = reporting(onError);
  return (...values) => {
    try {
      const result = method(...values);
      return result instanceof Promise ? result.then(watch, fail) : watch(result);
    } catch (error) {
      return fail(error);
    }
  };
}

/** Throws an error once more when it was told of. */
function reporting(onError: (error: unknown) => void): (error: unknown) => never {
  return (error) => {
    onError(error);
    throw error;
  };
}

function watchedResult(result: unknown, onError: (error: unknown) => void): unknown {
  if (isAsyncIterable(result)) return watchedStream(result, onError);
  if (!isPlain(result)) return result;
  let withStreams: Record<string, unknown> | undefined;
  for (const key in result) {
    const value = result[key];
    if (!isAsyncIterable(value)) continue;
    withStreams ??= { ...result };
    withStreams[key] = watchedStream(value, onError);
  }
  return withStreams ?? result;
}

type Step = Promise<IteratorResult<unknown>>;

/** The same stream, at the price of one promise for each item. */
function watchedStream(stream: AsyncIterable<unknown>, onError: (error: unknown) => void): AsyncGenerator<unknown> {
  let opened: AsyncIterator<unknown> | undefined;
  const fail = reporting(onError);
  const watched = (step: (iterator: AsyncIterator<unknown>) => Step): Step => {
    try {
      opened ??= stream[Symbol.asyncIterator]();
      return step(opened).catch(fail);
    } catch (error) {
      return Promise.reject(error).catch(fail);
    }
  };
  return readableOnce({
    next: () => watched((iterator) => iterator.next()),
    return: (value) => watched((iterator) => iterator.return?.(value) ?? Promise.resolve({ done: true, value })),
    [Symbol.asyncIterator]() {
      return this;
    },
  });
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
