import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOntologyModel, type OntologyModel } from '../model/ontology-model.ts';
import { RULES } from '../rules/rules.ts';
import { FIELD_KINDS } from '../style/kinds.ts';
import { checkOntology, readOntology } from './check-source.ts';

const folder = new URL('../../../../test-fixtures/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const list = (directory: string) => readdirSync(new URL(directory, folder)).filter((file) => file.endsWith('.ttl'));
const turtle = (file: string) => ({ text: read(file), contentType: 'text/turtle' });

async function base(): Promise<OntologyModel> {
  return createOntologyModel((await readOntology(turtle('ontologies/base.ttl'))).quads);
}

describe('ontologies in test-fixtures', () => {
  for (const file of list('ontologies/good')) {
    it(`${file} has no finding`, async () => {
      const options = file.includes('alone') ? {} : { base: await base() };
      expect(await checkOntology(turtle(`ontologies/good/${file}`), options)).toEqual([]);
    });
  }

  for (const file of list('ontologies/bad')) {
    it(`${file} shows one rule, with its line`, async () => {
      const findings = await checkOntology(turtle(`ontologies/bad/${file}`), { base: await base() });
      expect([...new Set(findings.map(({ rule }) => rule))]).toEqual([file.replace('.ttl', '')]);
      for (const { line } of findings) expect(line).toBeGreaterThan(8);
    });
  }

  it('show every rule', () => {
    const shown = list('ontologies/bad').map((file) => file.replace('.ttl', ''));
    const rules = [
      ...RULES.map(({ name }) => name).filter((name) => name !== 'style'),
      ...Object.values(FIELD_KINDS).map(({ rule }) => rule),
    ];
    expect(rules.filter((rule) => !shown.includes(rule))).toEqual([]);
  });

  it('have no error in the base nor in the ontology of the demo', async () => {
    const found = await checkOntology(turtle('ontologies/base.ttl'), { isBase: true });
    expect(found.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const demo = await checkOntology(turtle('apollo/ontology/apollo.ttl'));
    expect(demo.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
