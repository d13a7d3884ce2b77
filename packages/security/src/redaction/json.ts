/** A JSON value in a document. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object in a document. Only own keys are data; `__proto__` may be one. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Returns true if a value is a JSON object, not a leaf or a list. A date is a leaf. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}

/** Returns a leaf as JSON: the text of a date, null for an invalid one. */
export function toLeaf<Leaf>(value: Leaf): Leaf | string | null {
  return isDate(value) ? (Number.isNaN(value.getTime()) ? null : value.toISOString()) : value;
}

function isDate(value: unknown): value is Date {
  return typeof value === 'object' && value instanceof Date;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the own value of a key, else `undefined`. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a key of an object being built; `__proto__` becomes an own key like any other. */
export function setValue(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}
