import { type ListDoor, listFaults } from '@cairn/errors/conformance';
import { createDataFactory } from '@cairn/rdf-graph';
import { describe, expect, it } from 'vitest';
import { createOntologyModel, createStyle, hasSeverity, setStyle, validateOntology, withSubclasses } from './index.ts';

const factory = createDataFactory();
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const iri = (name: string) => factory.namedNode(name);
const quads = [
  factory.quad(iri('urn:a'), iri(`${RDFS}subClassOf`), iri('urn:b')),
  factory.quad(iri('urn:b'), iri(`${RDFS}subClassOf`), iri('urn:a')),
];
const model = createOntologyModel(quads);
const old = [factory.quad(iri('urn:a'), iri('http://telicent.io/ontology/style'), factory.literal('{}'))];
const findings = [
  { severity: 'note', message: 'one' },
  { severity: 'error', message: 'two' },
];

const DOORS: readonly ListDoor[] = [
  ['createOntologyModel', quads, (list) => createOntologyModel(list)],
  ['validateOntology', quads, (list) => validateOntology(list)],
  ['withSubclasses', ['urn:a', 'urn:c'], (list) => withSubclasses(model, list)],
  ['hasSeverity', findings, (list) => hasSeverity(list, 'error')],
  ['setStyle, existing', old, (existing) => setStyle('urn:a', createStyle(), { label: '*', existing, factory })],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});
