import type * as RDF from '@rdfjs/types';
import {
  blankNode,
  defaultGraph,
  languageLiteral,
  namedNode,
  quad,
  stringLiteral,
  typedLiteral,
  variable,
} from './terms.ts';

/**
 * Makes our terms for whoever takes an RDF/JS data factory. Labels of new blank nodes are counted per factory. A language
 * with a direction gives a literal of that language.
 */
export function createDataFactory(): RDF.DataFactory {
  let blankNodes = 0;
  return {
    namedNode: namedNode as RDF.DataFactory['namedNode'],
    blankNode: (label) => blankNode(label ?? `n${blankNodes++}`),
    literal: toLiteral,
    variable,
    defaultGraph,
    quad: (s, p, o, g) => quad(s, p, o, g),
    fromTerm: fromTerm as RDF.DataFactory['fromTerm'],
    fromQuad: (original) => fromTerm(original) as RDF.Quad,
  };
}

export function toLiteral(value: string, type?: string | RDF.NamedNode | RDF.DirectionalLanguage | null): RDF.Literal {
  if (type === undefined || type === null) return stringLiteral(value);
  if (typeof type === 'string') return languageLiteral(value, type);
  return 'language' in type ? languageLiteral(value, type.language) : typedLiteral(value, type.value);
}

function fromTerm(term: RDF.Term): RDF.Term {
  switch (term.termType) {
    case 'NamedNode':
      return namedNode(term.value);
    case 'BlankNode':
      return blankNode(term.value);
    case 'Literal':
      return toLiteral(term.value, term.language === '' ? term.datatype : term.language);
    case 'Variable':
      return variable(term.value);
    case 'DefaultGraph':
      return defaultGraph();
    case 'Quad': {
      const [s, p, o, g] = [term.subject, term.predicate, term.object, term.graph].map(fromTerm);
      return quad(s, p, o, g);
    }
  }
}

/** The data factory of our terms. */
export const dataFactory: RDF.DataFactory = createDataFactory();
