import { isAsyncIterable } from '@cairn/errors';

/** A port whose implementation can be exchanged while it is used. */
export interface Switchable<Port extends object> {
  /** The port: every call goes to the implementation that is current at that moment. */
  readonly port: Port;
  current(): Port;
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
    current: () => current,
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
  return (...values) => {
    try {
      const result = method(...values);
      if (!(result instanceof Promise)) return watchedResult(result, onError);
      result.catch(onError);
      return result.then((settled) => watchedResult(settled, onError));
    } catch (error) {
      onError(error);
      throw error;
    }
  };
}

/** What is read as it comes fails only then. */
function watchedResult(result: unknown, onError: (error: unknown) => void): unknown {
  if (isAsyncIterable(result)) return watchedStream(result, onError);
  if (!isPlain(result)) return result;
  const streams = Object.entries(result).filter(([, value]) => isAsyncIterable(value));
  if (streams.length === 0) return result;
  const watchedStreams = streams.map(([key, value]) => [key, watchedStream(value as AsyncIterable<unknown>, onError)]);
  return { ...result, ...Object.fromEntries(watchedStreams) };
}

async function* watchedStream(
  stream: AsyncIterable<unknown>,
  onError: (error: unknown) => void,
): AsyncGenerator<unknown> {
  try {
    yield* stream;
  } catch (error) {
    onError(error);
    throw error;
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
