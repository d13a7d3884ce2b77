import { isName } from '../model/ontology-model.ts';
import { createResourceRule, type Rule } from './rule.ts';

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

export const nameRule: Rule = createResourceRule(
  'name',
  'A literal of rdfs:label or skos:prefLabel names it for people.',
  function* (resource, { isBase }) {
    for (const term of resource.names) {
      if (!isName(term))
        yield ['error', `${resource.id} is named by ${shown(term.value)}; expected a literal with text`];
    }
    if (resource.names.length > 0) return;
    const message = `${resource.id} has no human-readable name; expected rdfs:label or skos:prefLabel`;
    yield [isBase ? 'note' : 'error', message];
  },
);

function shown(value: string): string {
  return value.trim() === '' ? 'a blank literal' : `<${value}>`;
}
