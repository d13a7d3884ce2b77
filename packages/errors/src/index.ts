/**
 * Advice on what a caller should do about an error.
 *
 * - `invalid`: the request is wrong; change it
 * - `unsupported`: the request is well formed, but this implementation does not do that
 * - `too-large`: a size limit; send less
 * - `unauthenticated`: who is asking is unknown
 * - `denied`: who is asking is known and may not
 * - `not-found`: the named thing does not exist, or the viewer may not know that it does
 * - `conflict`: the state changed underneath; read again and decide
 * - `unavailable`: a part that is needed is not there now; retry later
 * - `overloaded`: too much work is queued; retry after a pause
 * - `exhausted`: a budget of rows, steps or memory ran out; ask for less
 * - `timeout`: a time limit ran out
 * - `cancelled`: the caller withdrew the request
 * - `corrupt`: stored bytes are damaged; an operator must act
 * - `internal`: a defect
 */
export type ErrorKind =
  | 'invalid'
  | 'unsupported'
  | 'too-large'
  | 'unauthenticated'
  | 'denied'
  | 'not-found'
  | 'conflict'
  | 'unavailable'
  | 'overloaded'
  | 'exhausted'
  | 'timeout'
  | 'cancelled'
  | 'corrupt'
  | 'internal';

/** Every {@link ErrorKind}, in the order of its documentation. */
export const ERROR_KINDS: readonly ErrorKind[] = Object.freeze<ErrorKind[]>([
  'invalid',
  'unsupported',
  'too-large',
  'unauthenticated',
  'denied',
  'not-found',
  'conflict',
  'unavailable',
  'overloaded',
  'exhausted',
  'timeout',
  'cancelled',
  'corrupt',
  'internal',
]);

/** A stable identifier of one error condition, in capitals: `ERR_LABEL_SYNTAX`. */
export type ErrorCode = `ERR_${string}`;

/** Place of a syntax error in its text. */
export interface SourcePosition {
  /** UTF-16 code units from the start of the text, 0-based. */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  /** UTF-16 code units from the start of the line, 1-based. */
  readonly column: number;
}

/** Options of {@link CodedError}. */
export interface CodedErrorOptions {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  /** What, the value and the bound: `limit must be 1 to 1000; got 5000`. Never content, tokens or attributes. */
  readonly message: string;
  /** True when the same call may succeed later. Default: true for `unavailable`, `overloaded` and `timeout`. */
  readonly retryable?: boolean;
  /** The error of a lower layer that led to this one. */
  readonly cause?: unknown;
  /** For syntax errors: where. */
  readonly position?: SourcePosition;
  /** For syntax errors: what was expected there. */
  readonly expected?: readonly string[];
}

const RETRYABLE: readonly ErrorKind[] = ['unavailable', 'overloaded', 'timeout'];
const BRAND = Symbol.for('cairn.CodedError');

/** The error that every package of Cairn throws. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly position: SourcePosition | undefined;
  readonly expected: readonly string[] | undefined;

  constructor(options: CodedErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = options.code;
    this.kind = options.kind;
    this.retryable = options.retryable ?? RETRYABLE.includes(options.kind);
    this.position = options.position;
    this.expected = options.expected;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Returns true if a value is a {@link CodedError}, also one made by another copy of this package. */
export function isCodedError(value: unknown): value is CodedError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
}

/**
 * An error as data, since a class does not survive the way between threads; `new CodedError` makes it whole again.
 * One that is not coded gets this code, the kind `internal`, and a message that begins with what failed.
 */
export function toErrorOptions(error: unknown, code: ErrorCode, failed: string): CodedErrorOptions {
  if (isCodedError(error)) {
    const { code, kind, message, retryable, position, expected } = error;
    return { code, kind, message, retryable, ...(position && { position }), ...(expected && { expected }) };
  }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  return { code, kind: 'internal', message: `${failed}: ${reason}` };
}

/** The line and column of an offset in a text. A line ends at `\n`, `\r\n` or `\r`. Cost: O(offset). */
export function toSourcePosition(text: string, offset: number): SourcePosition {
  const end = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    const endsLine = unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10);
    if (endsLine) {
      line++;
      lineStart = i + 1;
    }
  }
  return { offset: end, line, column: end - lineStart + 1 };
}

/** Throws when a signal was aborted: its reason when that is a {@link CodedError}, else `ERR_CANCELLED`. */
export function throwIfAborted(signal: { readonly aborted: boolean; readonly reason?: unknown } | undefined): void {
  if (signal === undefined || !signal.aborted) return;
  if (isCodedError(signal.reason)) throw signal.reason;
  const message = 'the operation was cancelled by its caller';
  throw new CodedError({ code: 'ERR_CANCELLED', kind: 'cancelled', message, cause: signal.reason });
}

/**
 * Returns the error of an argument that a type would have refused; JavaScript callers have no types.
 * @param what the argument as the caller knows it: `the viewer`
 */
export function badArgument(what: string, expected: string, value: unknown): CodedError {
  const message = `${what} must be ${expected}; got ${kindOf(value)}`;
  return new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value is a string */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') throw badArgument(what, 'text', value);
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value is an object; arrays and dates are refused */
export function checkObject(value: unknown, what: string): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isObject) throw badArgument(what, 'an object', value);
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value is iterable; strings are refused */
export function checkList(value: unknown, what: string): void {
  const isList = typeof value === 'object' && value !== null && hasMethod(value, Symbol.iterator);
  if (!isList) throw badArgument(what, 'a list', value);
}

/**
 * For lists that are counted, indexed or walked twice: a generator ends with the first walk, and a Set has no length.
 * @throws `ERR_ARGUMENT` (invalid) unless the value is an array
 */
export function checkArray(value: unknown, what: string): void {
  if (!Array.isArray(value)) throw badArgument(what, 'an array', value);
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value has this method */
export function checkPort(value: unknown, method: string, what: string): void {
  if (typeof value === 'object' && value !== null && hasMethod(value, method)) return;
  throw badArgument(what, `something with a method ${method}`, value);
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value is a function */
export function checkFunction(value: unknown, what: string): void {
  if (typeof value !== 'function') throw badArgument(what, 'a function', value);
}

/** @throws `ERR_ARGUMENT` (invalid) unless the value is a number of 0 or more */
export function checkBound(value: unknown, what: string): void {
  if (typeof value !== 'number' || !(value >= 0)) throw badArgument(what, 'a number of at least 0', value);
}

/**
 * Limits with the defaults for those that are not given; whatever else is given is left out.
 * @param check refuses what is no limit: nothing is greater than NaN, so that such a limit would limit nothing
 * @throws `ERR_ARGUMENT` (invalid), or what another `check` throws
 */
export function resolveLimits<Name extends string>(
  given: { readonly [Each in NoInfer<Name>]?: number | undefined },
  defaults: Readonly<Record<Name, number>>,
  check: (value: unknown, name: string) => void = checkBound,
): Readonly<Record<Name, number>> {
  const limits: Record<Name, number> = { ...defaults };
  for (const name in defaults) {
    const value = given[name];
    if (value === undefined) continue;
    check(value, name);
    limits[name] = value;
  }
  return limits;
}

/** Accepts `undefined`. @throws `ERR_ARGUMENT` (invalid) unless the value is like an AbortSignal */
export function checkSignal(value: unknown, what = 'the signal'): void {
  if (value === undefined) return;
  const isSignal = typeof value === 'object' && value !== null && typeof Reflect.get(value, 'aborted') === 'boolean';
  if (!isSignal) throw badArgument(what, 'an AbortSignal', value);
}

/**
 * Freezes an object or list, and the plain objects and lists in it, and returns it: for constants that all callers share,
 * which one of them must not change for the others. Cost: O(values).
 */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeeply(part);
  return value;
}

/** Returns true if a value can be walked with `for await` only, not with `for`. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && hasMethod(value, Symbol.asyncIterator);
}

/**
 * The same stream, except that its second `[Symbol.asyncIterator]()` throws: what is made while it is read has nothing
 * left then, and nothing looks like an answer. The iterator that the first call gives can be walked on as any can.
 * Costs nothing for each element.
 * @throws `ERR_ALREADY_READ` (invalid) from that call
 */
export function readableOnce<T>(stream: AsyncIterableIterator<T>): AsyncGenerator<T, void, undefined> {
  return new ReadableOnce(stream);
}

class ReadableOnce<T> implements AsyncGenerator<T, void, undefined> {
  readonly #stream: AsyncIterableIterator<T>;
  #isTaken = false;

  constructor(stream: AsyncIterableIterator<T>) {
    this.#stream = stream;
  }

  next(): Promise<IteratorResult<T, void>> {
    return this.#stream.next();
  }

  async return(): Promise<IteratorResult<T, void>> {
    await this.#stream.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    if (this.#stream.throw !== undefined) return this.#stream.throw(error);
    await this.#stream.return?.();
    throw error;
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    if (this.#isTaken) {
      const message = 'a stream that is made while it is read can be read once; ask again, or keep its elements';
      throw new CodedError({ code: 'ERR_ALREADY_READ', kind: 'invalid', message });
    }
    this.#isTaken = true;
    return this.#stream as AsyncGenerator<T, void, undefined>;
  }
}

function hasMethod(value: object, name: PropertyKey): boolean {
  return typeof Reflect.get(value, name) === 'function';
}

/** Names the kind of a value, without its content. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    return `${value}`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
