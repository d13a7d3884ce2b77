import { isCodedError } from '@cairn/errors';

/** @throws an error that names what was expected when a condition is false */
export function ensure(condition: boolean, expected: string): asserts condition {
  if (!condition) throw new Error(`expected ${expected}`);
}

/** Compares by JSON text, bytes as lists of numbers. @throws an error with both when they differ */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  if (isSameBytes(actual, expected)) return;
  const [have, want] = [toText(actual), toText(expected)];
  if (have !== want) throw new Error(`${what}: expected ${shorten(want)}, got ${shorten(have)}`);
}

/** @throws an error unless a call throws or rejects with one of these codes */
export async function ensureRefused(
  call: () => unknown,
  codes: string | readonly string[],
  what: string,
): Promise<void> {
  const wanted = [codes].flat();
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (isCodedError(error) && wanted.includes(error.code)) return;
    throw new Error(`${what}: expected ${wanted.join(' or ')}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`${what}: expected ${wanted.join(' or ')}, got ${shorten(toText(result))}`);
}

/** @throws an error unless a promise rejects with this very error */
export async function ensureFailure(promise: Promise<unknown>, failure: Error, what: string): Promise<void> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  ensure(outcome === failure, `${what}; got ${String(outcome)}`);
}

/**
 * Returns the result of a promise if it settles soon: within some turns of the event loop and at most ten seconds, so
 * that a missing wake-up fails its case instead of hanging the suite.
 */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing came within 10 seconds`)), 10_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets background work of an implementation go on for some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Shortcut for large values. */
function isSameBytes(a: unknown, b: unknown): boolean {
  if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return false;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function toText(value: unknown): string {
  const plain = (_: string, one: unknown): unknown => {
    if (typeof one === 'function') return 'a function';
    return one instanceof Uint8Array ? [...one] : one;
  };
  return JSON.stringify(value, plain) ?? 'undefined';
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}... (${text.length} characters)`;
}
