import { createResourceRule, type Rule } from './rule.ts';

export const styleSingleRule: Rule = createResourceRule(
  'style-single',
  'A class has at most one style, and it is a literal.',
  function* (resource) {
    if (resource.styles.length > 1) {
      yield ['error', `${resource.id} has ${resource.styles.length} styles; expected at most one`];
    }
    for (const term of resource.styles) {
      if (term.termType !== 'Literal')
        yield ['error', `${resource.id} has the style <${term.value}>; expected a literal`];
    }
  },
);
