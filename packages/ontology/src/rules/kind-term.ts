import { KIND_TERMS } from '../model/vocabulary.ts';
import { createResourceRule, type Rule } from './rule.ts';

/** Terms beside the authoring table that authors write, and that are accepted. */
export const kindTermRule: Rule = createResourceRule(
  'kind-term',
  'The kind is said with a term of the authoring table.',
  function* (resource) {
    for (const type of resource.kindTypes) {
      const { short, preferred } = KIND_TERMS.get(type)!;
      if (preferred !== undefined)
        yield ['note', `${resource.id} is an ${short}; the authoring table has ${preferred}`];
    }
  },
);
