import { CodedError, type ErrorCode } from '@cairn/errors';

/** Names the kind of a JSON value for an error message. Never the value itself. */
function describeJson(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'object' ? 'an object' : typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`;
}

/** Returns true if a value is a JSON object; a date is not. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function invalidJson(code: ErrorCode, place: string, expected: string, value: unknown): CodedError {
  return new CodedError({ code, kind: 'invalid', message: `${place} must be ${expected}; got ${describeJson(value)}` });
}
