import { parseRdf } from '@cairn/rdf-graph';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { validateOntology } from '../check/validate-ontology.ts';
import type { Finding } from '../finding/finding.ts';
import { createOntologyModel } from '../model/ontology-model.ts';
import { goodStyle } from '../testing/styles.ts';
import { RULES } from './rules.ts';

const PREFIXES = `@prefix : <https://example.org/o#> . @prefix base: <https://example.org/base/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix t: <http://telicent.io/ontology/> .`;
const STYLE = JSON.stringify(JSON.stringify(goodStyle()));
const BASE = `base:Thing a rdfs:Class ; rdfs:label "Thing" . base:relates a rdf:Property ; rdfs:label "relates" .`;

async function quadsOf(turtle: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(`${PREFIXES}\n${turtle}`, { contentType: 'text/turtle' })) quads.push(quad);
  return quads;
}

async function check(turtle: string, base: string | null = BASE): Promise<Finding[]> {
  const model = base === null ? undefined : createOntologyModel(await quadsOf(base));
  return validateOntology(await quadsOf(turtle), { base: model });
}

/** rule, severity, Turtle that breaks it and nothing else, what the message must say; each row shows one rule. */
const CASES: readonly [string, string, string, RegExp][] = [
  ['namespace', 'error', '<urn:x> a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" .', /ends with \/ or #/],
  [
    'namespace',
    'error',
    '<https://example.org/o#> a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" .',
    /no name/,
  ],
  [
    'namespace',
    'error',
    '<https://example.org> a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" .',
    /no namespace/,
  ],
  ['kind', 'error', ':A rdfs:subClassOf base:Thing ; rdfs:label "x" .', /no rdf:type.*rdfs:Class, owl:Class/],
  [
    'kind-term',
    'note',
    ':p a rdf:Property ; rdfs:subPropertyOf base:relates ; rdfs:label "x" .',
    /table has rdfs:Property/,
  ],
  ['convention', 'warning', ':A a owl:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" .', /in OWL.*follows RDFS/],
  ['parent', 'error', ':A a rdfs:Class ; rdfs:label "x" .', /expected rdfs:subClassOf/],
  [
    'parent',
    'error',
    ':p a rdfs:Property ; rdfs:subClassOf base:relates ; rdfs:label "x" .',
    /expected rdfs:subPropertyOf/,
  ],
  [
    'parent-known',
    'error',
    ':A a rdfs:Class ; rdfs:subClassOf :Nothing ; rdfs:label "x" .',
    /o#Nothing, which is not declared/,
  ],
  [
    'parent-kind',
    'error',
    ':A a rdfs:Class ; rdfs:subClassOf base:relates ; rdfs:label "x" .',
    /is a class and extends .*relates/,
  ],
  ['parent-cycle', 'error', ':A a rdfs:Class ; rdfs:subClassOf :A ; rdfs:label "x" .', /its own ancestor/],
  ['name', 'error', ':A a rdfs:Class ; rdfs:subClassOf base:Thing .', /rdfs:label or skos:prefLabel/],
  ['name', 'error', ':A a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label " " .', /a blank literal/],
  ['name', 'error', ':A a rdfs:Class ; rdfs:subClassOf base:Thing ; skos:prefLabel :x .', /named by <.*o#x>/],
  [
    'style-on-class',
    'error',
    `:p a rdfs:Property ; rdfs:subPropertyOf base:relates ; rdfs:label "x" ; t:style ${STYLE} .`,
    /expected a class/,
  ],
  [
    'style-single',
    'error',
    `:A a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" ; t:style ${STYLE}, :s .`,
    /2 styles/,
  ],
  [
    'style-json',
    'error',
    ':A a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" ; t:style "{" .',
    /neither JSON/,
  ],
];

describe('rules', () => {
  for (const [rule, severity, turtle, message] of CASES) {
    it(`${rule} is broken by ${turtle.slice(0, 90)}`, async () => {
      const findings = await check(turtle);
      expect(new Set(findings.map((finding) => finding.rule))).toEqual(new Set([rule]));
      expect(findings[0]?.severity).toBe(severity);
      expect(findings[0]?.message).toMatch(message);
    });
  }

  it('kind and parent are broken by a resource of two kinds', async () => {
    const findings = await check(':A a rdfs:Class, rdfs:Property ; rdfs:subClassOf base:Thing ; rdfs:label "x" .');
    expect(findings.map(({ rule }) => rule)).toEqual(['kind']);
  });

  it('have names that are unlike, and each is broken by a case', () => {
    const names = RULES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const broken = new Set(CASES.map(([rule]) => (rule === 'style-json' ? 'style' : rule)));
    expect(names.filter((name) => !broken.has(name))).toEqual([]);
  });

  it('find nothing wrong with a good extension in either convention', async () => {
    const rdfs = `:A a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "A"@en ; t:style ${STYLE} .
      :B a rdfs:Class ; rdfs:subClassOf base:Thing, :A ; skos:prefLabel "B" .
      :p a rdfs:Property ; rdfs:subPropertyOf base:relates ; rdfs:label "p" .`;
    expect(await check(rdfs)).toEqual([]);
    const owl = `:A a owl:Class ; rdfs:subClassOf owl:Thing, [ a owl:Class ; owl:unionOf () ] ; rdfs:label "A" .
      :q a owl:DataProperty ; rdfs:subPropertyOf owl:topDataProperty ; rdfs:label "q" .`;
    expect(await check(owl, null)).toEqual([]);
  });

  it('are milder about what only a base ontology may leave out', async () => {
    const findings = validateOntology(await quadsOf(':Root a rdfs:Class . :p a rdfs:Property .'), { isBase: true });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['parent', 'note'],
      ['parent', 'note'],
      ['name', 'note'],
      ['name', 'note'],
    ]);
  });

  it('only warn about parents that are declared elsewhere when there is no base to look in', async () => {
    const findings = await check(':A a rdfs:Class ; rdfs:subClassOf base:Thing ; rdfs:label "x" .', null);
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['parent-known', 'warning']]);
  });

  it('name the whole way round a long cycle, once', async () => {
    const many = 20_000;
    const links = Array.from(
      { length: many },
      (_, i) => `:C${i} a rdfs:Class ; rdfs:label "c" ; rdfs:subClassOf :C${(i + 1) % many} .`,
    );
    const findings = await check(links.join('\n'));
    expect(findings.map(({ rule }) => rule)).toEqual(['parent-cycle']);
    expect(findings[0]?.message.split(' extends ')).toHaveLength(many + 1);
  });
});
