import { createResourceRule, type Rule } from './rule.ts';

/** A namespace that ends with `/` or `#`, and a name after it. */
export const namespaceRule: Rule = createResourceRule(
  'namespace',
  'The IRI is a namespace that ends with / or # and a name after it.',
  function* ({ id }) {
    const end = Math.max(id.lastIndexOf('/'), id.lastIndexOf('#'));
    const isAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*$/i.test(id);
    if (end < 0 || isAuthority) {
      yield ['error', `${id} has no namespace; expected one that ends with / or #, and a name after it`];
    } else if (end === id.length - 1) {
      yield ['error', `${id} has no name after its namespace`];
    }
  },
);
