import { kindsOf } from '../model/ontology-model.ts';
import { KIND_TERMS } from '../model/vocabulary.ts';
import { createResourceRule, type Rule } from './rule.ts';

const EXPECTED = [...KIND_TERMS.values()].filter(({ preferred }) => preferred === undefined).map(({ short }) => short);

/** Exactly one kind: class, relationship property or attribute property. */
export const kindRule: Rule = createResourceRule(
  'kind',
  'rdf:type says whether it is a class, a relationship property or an attribute property.',
  function* (resource) {
    const kinds = kindsOf(resource);
    if (kinds.length === 0) {
      yield ['error', `${resource.id} has no rdf:type that says its kind; expected one of ${EXPECTED.join(', ')}`];
    } else if (kinds.length > 1) {
      yield ['error', `${resource.id} is declared as ${kinds.join(' and ')}; expected one kind`];
    }
  },
);
