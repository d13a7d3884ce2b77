import type { JsonObject, JsonValue } from '@cairn/security';

/** Returns true if a value is a JSON object: neither a leaf nor a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
