import { KIND_TERMS } from '../model/vocabulary.ts';
import { createResourceRule, type Rule } from './rule.ts';

/** Terms beside the authoring table that authors write, and that are accepted. */
export const kindTermRule: Rule = createResourceRule(
  'kind-term',
  'The kind is said with a term of the authoring table.',
  function* (resource) {
    for (const type of resource.kindTypes) {
      const term = KIND_TERMS.get(type);
      if (term?.preferred !== undefined)
        yield ['note', `${resource.id} is an ${term.short}; the authoring table has ${term.preferred}`];
    }
  },
);
