/** A JSON value; objects are maps, so that no name means more than any other. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

export interface JsonArray extends ReadonlyArray<JsonValue> {}

/** Of two members of one name the last counts. */
export interface JsonObject extends ReadonlyMap<string, JsonValue> {}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** The items of an array; any other value alone. */
export function itemsOf(value: JsonValue): JsonArray {
  return isArray(value) ? value : [value];
}

/** A value that was parsed by `JSON.parse`. */
export function toJsonValue(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([name, inner]) => [name, toJsonValue(inner)]));
  }
  return value as JsonValue;
}

/** The canonical text of a value: without white space, names sorted by UTF-16 units (RFC 8785). */
export function writeCanonicalJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(writeCanonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = [...value.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${writeCanonicalJson(value.get(name) ?? null)}`).join(',')}}`;
}
