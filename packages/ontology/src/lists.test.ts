import { isCodedError } from '@cairn/errors';
import { createDataFactory } from '@cairn/rdf-graph';
import { describe, expect, it } from 'vitest';
import { createOntologyModel, createStyle, hasSeverity, setStyle, validateOntology, withSubclasses } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door, items of the list that it takes, and what tells whether it took them all. */
type Door = readonly [name: string, items: readonly unknown[], call: (list: Wrong) => unknown];

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

const DOORS: readonly Door[] = [
  ['createOntologyModel', quads, (list) => createOntologyModel(list)],
  ['validateOntology', quads, (list) => validateOntology(list)],
  ['withSubclasses', ['urn:a', 'urn:c'], (list) => withSubclasses(model, list)],
  ['hasSeverity', findings, (list) => hasSeverity(list, 'error')],
  ['setStyle, existing', old, (existing) => setStyle('urn:a', createStyle(), { label: '*', existing, factory })],
];

/** The same items in everything that can be walked, or looks as if it could be. */
const KINDS: readonly (readonly [kind: string, make: (items: readonly unknown[]) => Wrong])[] = [
  ['a Set', (items) => new Set(items)],
  ['a generator', (items) => walk(items)],
  ['an iterable', (items) => ({ [Symbol.iterator]: () => items[Symbol.iterator]() })],
  ['what is like an array', (items) => ({ ...items, length: items.length })],
];

function* walk(items: readonly unknown[]): Generator<unknown> {
  yield* items;
}

/** What a door gives, or the kind of its refusal. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return isCodedError(error) ? error.kind : error;
  }
}

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      const whole = await outcome(() => call(items));
      expect(whole).not.toBe('invalid');
      for (const [kind, make] of KINDS) {
        const found = await outcome(() => call(make(items)));
        expect([kind, found]).toEqual([kind, found === 'invalid' ? 'invalid' : whole]);
      }
    },
  );
});
