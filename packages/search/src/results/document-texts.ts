import type { JsonObject, JsonValue } from '@cairn/security';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toIndexedValue } from '../mapping/value.ts';

/** A text of a document that is indexed as text, and the path of its field. */
export interface FieldText {
  readonly text: string;
  readonly path: string;
}

/** The texts of a document in its order; labels are none. */
export function* textsOf(document: JsonObject, mapping: IndexMapping): Generator<FieldText> {
  yield* textsAt(document, '', mapping);
}

function* textsAt(value: JsonValue, path: string, mapping: IndexMapping): Generator<FieldText> {
  if (typeof value === 'string') {
    const { text } = toIndexedValue(value, mapping.field(path)) ?? {};
    if (text !== undefined) yield { text, path };
    return;
  }
  for (const [part, at] of partsOf(value, path)) yield* textsAt(part, at, mapping);
}

function partsOf(value: JsonValue, path: string): [part: JsonValue, path: string][] {
  if (Array.isArray(value)) return value.map((part: JsonValue) => [part, path]);
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value as JsonObject).filter(([key]) => !key.endsWith('securityLabels'));
  return entries.map(([key, part]) => [part as JsonValue, path === '' ? key : `${path}.${key}`]);
}
