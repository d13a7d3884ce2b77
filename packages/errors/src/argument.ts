import { CodedError } from './index.ts';

/**
 * The error of an argument that a type would have refused: callers of JavaScript have none.
 * @param what how the caller knows it: `the viewer`
 */
export function badArgument(what: string, expected: string, value: unknown): CodedError {
  return new CodedError({
    code: 'ERR_ARGUMENT',
    kind: 'invalid',
    message: `${what} must be ${expected}; got ${kindOf(value)}`,
  });
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no text. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== 'string') throw badArgument(what, 'text', value);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no object, for a list and for a date. */
export function checkObject(value: unknown, what: string): void {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
  if (!isObject) throw badArgument(what, 'an object', value);
}

/** @throws `ERR_ARGUMENT` (invalid) for what cannot be walked, and for text, which would be walked by its letters. */
export function checkList(value: unknown, what: string): void {
  const isList = typeof value === 'object' && value !== null && hasMethod(value, Symbol.iterator);
  if (!isList) throw badArgument(what, 'a list', value);
}

/** @throws `ERR_ARGUMENT` (invalid) for what has no such method. */
export function checkPort(value: unknown, method: string, what: string): void {
  if (typeof value === 'object' && value !== null && hasMethod(value, method)) return;
  throw badArgument(what, `something with a method ${method}`, value);
}

function hasMethod(value: object, name: PropertyKey): boolean {
  return typeof Reflect.get(value, name) === 'function';
}

/** What a value is, without its content. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    return `${value}`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
