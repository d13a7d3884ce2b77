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

function requireKey(schema: ObjectSchema, key: string): void {
  if (!schema.required.includes(key)) schema.required.push(key);
}

function createSchema(): JsonSchema {
  const root = emptyObject();
  for (const { path, kind, required } of STYLE_FIELDS) {
    let parent = root;
    for (const key of path.slice(0, -1)) {
      parent.properties[key] ??= emptyObject();
      if (required) requireKey(parent, key);
      parent = parent.properties[key] as ObjectSchema;
    }
    const field = path[path.length - 1];
    parent.properties[field] = { ...FIELD_KINDS[kind].schema, description: FIELD_KINDS[kind].expected };
    if (required) requireKey(parent, field);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Display style of an ontology class',
    ...root,
  };
}

/**
 * The JSON Schema (2020-12) of a {@link Style}: its form. What a schema cannot say, such as whether an icon exists, is
 * checked by {@link validateStyle}.
 */
export const STYLE_SCHEMA: JsonSchema = createSchema();
