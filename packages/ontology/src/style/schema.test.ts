import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { STYLE_SCHEMA } from './schema.ts';

interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
}

/** The members of every interface of style.ts, read from its source. */
function interfaces(): Map<string, Member[]> {
  const file = new URL('./style.ts', import.meta.url);
  const source = ts.createSourceFile('style.ts', readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = new Map<string, Member[]>();
  for (const statement of source.statements) {
    if (!ts.isInterfaceDeclaration(statement)) continue;
    const members = statement.members.filter(ts.isPropertySignature).map((member) => ({
      name: member.name.getText(source),
      optional: member.questionToken !== undefined,
      type: member.type?.getText(source) ?? '',
    }));
    found.set(statement.name.text, members);
  }
  return found;
}

type Schema = { readonly properties?: Record<string, Schema>; readonly required?: readonly string[] };

describe('STYLE_SCHEMA', () => {
  it('says the same as the TypeScript type', () => {
    const types = interfaces();
    const compare = (name: string, schema: Schema): void => {
      const members = types.get(name) ?? [];
      expect(Object.keys(schema.properties ?? {}).sort()).toEqual(members.map((member) => member.name).sort());
      const required = members.filter(({ optional }) => !optional).map((member) => member.name);
      expect([...(schema.required ?? [])].sort()).toEqual(required.sort());
      for (const { name: key, type } of members) if (types.has(type)) compare(type, schema.properties?.[key] ?? {});
    };
    compare('Style', STYLE_SCHEMA as Schema);
  });
});
