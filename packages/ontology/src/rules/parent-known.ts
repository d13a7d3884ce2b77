import { createResourceRule, knownKinds, type Rule } from './rule.ts';

export const parentKnownRule: Rule = createResourceRule(
  'parent-known',
  'Every parent is declared in the ontology or in the one that it extends.',
  function* (resource, context) {
    for (const parent of [...resource.superClasses, ...resource.superProperties]) {
      if (parent.startsWith('_:') || knownKinds(parent, context) !== undefined) continue;
      // Alone, an extension cannot show that its parents exist elsewhere.
      const severity = context.base === undefined ? 'warning' : 'error';
      yield [severity, `${resource.id} extends ${parent}, which is not declared`];
    }
  },
);
