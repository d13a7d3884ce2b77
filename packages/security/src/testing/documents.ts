import fc from 'fast-check';
import { isList, isObject, type JsonObject, type JsonValue, setValue } from '../redaction/json.ts';

const LABELS = ['*', '!', 'a', 'b', 'c', 'a|b', 'a&b', 'a,c', 'b|c&a', 'a&', '<'];
const KEYS = ['uri', 'name', 'tags', 'child', 'defaults', '__proto__', 'constructor', 'xsecurityLabels'];

const label: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 9, arbitrary: fc.constantFrom(...LABELS) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, 5, true, {}, '  ') },
);

const spec: fc.Arbitrary<JsonValue> = fc.letrec<{ spec: JsonValue; list: JsonValue }>((tie) => ({
  spec: fc.oneof({ depthSize: 'small' }, { weight: 3, arbitrary: label }, { weight: 2, arbitrary: tie('list') }),
  list: fc.array(tie('spec'), { maxLength: 4 }),
})).spec;

const labels: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: record(fc.oneof(spec, label)) },
  { weight: 1, arbitrary: label },
);

/** Documents with labels in all shapes, good and bad. Every leaf has a value of its own. */
export const labelledDocument: fc.Arbitrary<JsonObject> = fc
  .letrec<{ value: JsonValue; list: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: fc.constant('leaf') },
      { weight: 2, arbitrary: tie('list') },
      { weight: 2, arbitrary: tie('object') },
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.tuple(record(tie('value')), fc.option(labels)).map(([fields, own]) => {
      const object = { ...fields };
      if (own !== null) object['securityLabels'] = own;
      return object;
    }),
  }))
  .object.map((document) => numbered(document, { next: 1 }) as JsonObject);

function record(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<Record<string, JsonValue>> {
  return fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), { selector: ([key]) => key }).map(built);
}

function built(entries: readonly (readonly [string, JsonValue])[]): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [key, item] of entries) setValue(object, key, item);
  return object;
}

function numbered(value: JsonValue, counter: { next: number }): JsonValue {
  if (isList(value)) return value.map((item) => numbered(item, counter));
  if (!isObject(value)) return counter.next++;
  const entries = Object.entries(value);
  return built(entries.map(([key, item]) => [key, key === 'securityLabels' ? item : numbered(item, counter)]));
}

export function leafValues(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  if (isList(value)) return value.flatMap(leafValues);
  return isObject(value) ? Object.values(value).flatMap(leafValues) : [value];
}

/**
 * Returns a document as if it had never held any leaf but these: without the others, the labels beside them, and
 * containers emptied by that. The defaults stay. The reference that redaction is checked against.
 */
export function withOnly(document: JsonObject, leaves: ReadonlySet<JsonValue>): JsonObject {
  return (keep(document, undefined, leaves)?.[0] as JsonObject | undefined) ?? {};
}

type Own = JsonValue | undefined;
type Kept = readonly [value: JsonValue, labels: Own] | undefined;
type Leaves = ReadonlySet<JsonValue>;

function keep(value: JsonValue, own: Own, leaves: Leaves): Kept {
  if (isList(value)) return keepItems(value, own, leaves);
  if (isObject(value)) return keepFields(value, own, leaves);
  return leaves.has(value) ? [value, own] : undefined;
}

function keepItems(list: readonly JsonValue[], own: Own, leaves: Leaves): Kept {
  const parallel = isList(own) ? own : undefined;
  const kept = list
    .map((item, index) => keep(item, parallel ? (parallel[index] ?? '') : own, leaves))
    .filter((item) => item !== undefined);
  if (kept.length === 0) return undefined;
  return [kept.map(([item]) => item), parallel ? kept.map(([, label]) => label ?? '') : own];
}

function keepFields(object: JsonObject, own: Own, leaves: Leaves): Kept {
  const given = Object.hasOwn(object, 'securityLabels') ? object['securityLabels'] : undefined;
  const specs = new Map(isObject(given) ? Object.entries(given) : []);
  const fields: [string, JsonValue][] = [];
  const defaults = specs.get('defaults');
  const labels: [string, JsonValue][] = defaults === undefined ? [] : [['defaults', defaults]];
  for (const [key, item] of Object.entries(object)) {
    if (key.endsWith('securityLabels')) continue;
    const kept = keep(item, specs.get(key), leaves);
    if (kept === undefined) continue;
    fields.push([key, kept[0]]);
    if (kept[1] !== undefined && key !== 'defaults') labels.push([key, kept[1]]);
  }
  if (fields.length === 0) return undefined;
  if (given !== undefined) fields.push(['securityLabels', isObject(given) ? built(labels) : given]);
  return [built(fields), own];
}
