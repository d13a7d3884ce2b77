import { kindsOf } from '../model/ontology-model.ts';
import { createResourceRule, knownKinds, type Rule } from './rule.ts';

/** Classes extend classes, properties extend properties of the same sort. */
export const parentKindRule: Rule = createResourceRule(
  'parent-kind',
  'A parent is of the same kind as what extends it.',
  function* (resource, context) {
    const [kind, ...others] = kindsOf(resource);
    if (kind === undefined || others.length > 0) return;
    const parents = kind === 'class' ? resource.superClasses : resource.superProperties;
    for (const parent of parents) {
      const kinds = knownKinds(parent, context);
      if (kinds === undefined || kinds.length === 0 || kinds.includes(kind)) continue;
      yield ['error', `${resource.id} is a ${kind} and extends ${parent}, a ${kinds.join(' and ')}`];
    }
  },
);
