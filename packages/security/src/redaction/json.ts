/** A JSON value as documents hold it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object as documents hold it. Own keys only, also `__proto__`, are data. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a JSON object: neither a leaf nor a list. A date is a leaf. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}

/** A leaf as JSON has it: the text of a date, null for an invalid one. */
export function toLeaf<Leaf>(value: Leaf): Leaf | string | null {
  return isDate(value) ? (Number.isNaN(value.getTime()) ? null : value.toISOString()) : value;
}

function isDate(value: unknown): value is Date {
  return typeof value === 'object' && value instanceof Date;
}

/** Whether a value is a list. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Own value of a key, else `undefined`. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a key of an object that is being built; `__proto__` becomes an own key like any other. */
export function setValue(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
