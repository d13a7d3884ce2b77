import { freezeDeeply } from '@cairn/errors';
import { FIELD_KINDS, STYLE_FIELDS } from './kinds.ts';

/** A JSON Schema as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, ObjectSchema | JsonSchema>;
  required: string[];
}

function emptyObject(): ObjectSchema {
  return { type: 'object', properties: {}, required: [] };
}

function createSchema(): JsonSchema {
  const root = emptyObject();
  for (const { path, kind, required } of STYLE_FIELDS) {
    let parent = root;
    for (const [depth, key] of path.entries()) {
      if (required && !parent.required.includes(key)) parent.required.push(key);
      if (depth < path.length - 1) {
        parent.properties[key] ??= emptyObject();
        parent = parent.properties[key] as ObjectSchema;
      } else parent.properties[key] = { ...FIELD_KINDS[kind].schema, description: FIELD_KINDS[kind].expected };
    }
  }
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return { $schema, title: 'Display style of an ontology class', ...root };
}

/** The JSON Schema (2020-12) of the form of a {@link Style}; {@link validateStyle} checks the rest, such as icons. */
export const STYLE_SCHEMA: JsonSchema = freezeDeeply(createSchema());
