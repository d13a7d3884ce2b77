import { kindsOf } from '../model/ontology-model.ts';
import { parseStyle } from '../style/parse-style.ts';
import { createResourceRule, type Rule } from './rule.ts';

export const STYLE_RULES: readonly Rule[] = [
  createResourceRule('style-on-class', 'Only classes are styled.', function* (resource) {
    const kinds = kindsOf(resource);
    if (resource.styles.length === 0 || kinds.includes('class')) return;
    const what = kinds.length === 0 ? 'is not declared as a class' : `is a ${kinds.join(' and ')}`;
    yield ['error', `${resource.id} has a style and ${what}; expected a class`];
  }),
  createResourceRule('style-single', 'A class has at most one style, and it is a literal.', function* (resource) {
    if (resource.styles.length > 1) {
      yield ['error', `${resource.id} has ${resource.styles.length} styles; expected at most one`];
    }
    for (const term of resource.styles) {
      if (term.termType !== 'Literal')
        yield ['error', `${resource.id} has the style <${term.value}>; expected a literal`];
    }
  }),
  /** The JSON of each style, field by field; the findings carry rules of their own, `style-...`. */
  {
    name: 'style',
    asks: 'The JSON of a style is complete, and its colours, lengths, shape and icons are real ones.',
    *check({ ontology }) {
      for (const { id, styles, styleLine, line } of ontology.resources.values()) {
        for (const term of styles) {
          if (term.termType !== 'Literal') continue;
          yield* parseStyle(term.value, { subject: id, line: styleLine ?? line }).findings;
        }
      }
    },
  },
];
