import { CodedError } from '@cairn/errors';
import type { Label } from '../label/label.ts';
import { parseStated } from '../label/stated.ts';
import { invalidJson, isJsonObject } from './json.ts';
import type { Attributes } from './viewer.ts';

const EXPRESSIONS = 'abac_attributes';
const MAX_DEPTH = 32;
const EXPECTED_VALUE = 'a string, number, boolean, a list of those or an object';

/**
 * Reads the attributes of a user from the JSON of an identity service or a configuration.
 *
 * The key `abac_attributes` holds texts such as `clearance=TS` (or `a=1,b=2`, or `a` for `a=true`), in the grammar of
 * labels. Every other key is an attribute: nested objects are flattened with dots, a list means several values,
 * numbers, booleans and dates become text, null means absent. Values of the same name are joined, without repetition.
 *
 * Throws `ERR_ATTRIBUTES` (invalid), which names the place, never a value.
 */
export function attributesFromJson(value: unknown): Attributes {
  if (!isJsonObject(value)) throw invalidJson('ERR_ATTRIBUTES', 'attributes', 'an object', value);
  const collected = new Map<string, Set<string>>();
  for (const [name, item] of Object.entries(value)) {
    if (name === EXPRESSIONS) addExpressions(collected, item);
    else flatten(collected, name, item, 1);
  }
  const attributes: Record<string, readonly string[]> = Object.create(null);
  for (const [name, values] of collected) attributes[name] = [...values];
  return attributes;
}

function add(collected: Map<string, Set<string>>, name: string, value: string): void {
  const values = collected.get(name);
  if (values === undefined) collected.set(name, new Set([value]));
  else values.add(value);
}

function flatten(collected: Map<string, Set<string>>, name: string, value: unknown, depth: number): void {
  if (name === '' || name.endsWith('.')) throw invalid(`an attribute must have a name; got ${JSON.stringify(name)}`);
  if (depth > MAX_DEPTH) {
    throw invalid(`attributes must nest at most ${MAX_DEPTH} levels deep; ${name.slice(0, 40)} nests deeper`);
  }
  if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) flatten(collected, `${name}.${key}`, item, depth + 1);
    return;
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const item of items) {
    if (item !== null && item !== undefined) add(collected, name, scalarText(name, item));
  }
}

function scalarText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  throw invalidJson('ERR_ATTRIBUTES', `attribute ${name}`, EXPECTED_VALUE, value);
}

function addExpressions(collected: Map<string, Set<string>>, value: unknown): void {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  items.forEach((item, index) => {
    const place = `attribute ${EXPRESSIONS}[${index}]`;
    if (typeof item !== 'string') throw invalidJson('ERR_ATTRIBUTES', place, 'a text such as clearance=TS', item);
    for (const test of assignments(place, parseStated(item, 'ERR_ATTRIBUTES', place)))
      add(collected, test.attribute, test.value);
  });
}

function assignments(place: string, label: Label): readonly { attribute: string; value: string }[] {
  const items: readonly Label[] = label.kind === 'list' ? label.items : [label];
  return items.map((item) => {
    if (item.kind === 'test' && item.relation === '=') return item;
    throw invalid(`${place} must be name=value or a comma-separated list of those; other operators are not possible`);
  });
}

function invalid(message: string): CodedError {
  return new CodedError({ code: 'ERR_ATTRIBUTES', kind: 'invalid', message });
}
