import { parseStyle } from '../style/parse-style.ts';
import type { Rule } from './rule.ts';

/** The JSON of each style, field by field; the findings carry rules of their own, `style-...`. */
export const styleRule: Rule = {
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
};
