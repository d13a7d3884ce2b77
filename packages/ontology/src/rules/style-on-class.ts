import { kindsOf } from '../model/ontology-model.ts';
import { createResourceRule, type Rule } from './rule.ts';

export const styleOnClassRule: Rule = createResourceRule(
  'style-on-class',
  'Only classes are styled.',
  function* (resource) {
    const kinds = kindsOf(resource);
    if (resource.styles.length === 0 || kinds.includes('class')) return;
    const what = kinds.length === 0 ? 'is not declared as a class' : `is a ${kinds.join(' and ')}`;
    yield ['error', `${resource.id} has a style and ${what}; expected a class`];
  },
);
