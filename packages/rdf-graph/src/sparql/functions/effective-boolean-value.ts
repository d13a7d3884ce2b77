import type * as RDF from '@rdfjs/types';
import { typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { typeError } from '../../xpath/expression-error.ts';
import { isNumericDatatype, toDouble } from './numeric.ts';
import { toValue } from './value.ts';

const TRUE: RDF.Literal = Object.freeze(typedLiteral('true', xsd.boolean));
const FALSE: RDF.Literal = Object.freeze(typedLiteral('false', xsd.boolean));

export function booleanLiteral(value: boolean): RDF.Literal {
  return value ? TRUE : FALSE;
}

/**
 * The effective boolean value of a term (SPARQL 1.1, 17.2.2): ill-typed numbers and booleans are false.
 * Text with a language has none, as other engines read the standard's "plain literal" today.
 * @throws ExpressionError for a term that has none: unbound, not a literal, or of another datatype.
 */
export function effectiveBooleanValue(term: RDF.Term | undefined): boolean {
  if (term === TRUE) return true;
  if (term === FALSE) return false;
  if (term?.termType !== 'Literal') return typeError('effective boolean value');
  const value = toValue(term);
  switch (value.kind) {
    case 'boolean':
      return value.value;
    case 'string':
      return value.value !== '';
    case 'numeric': {
      const number = toDouble(value.value);
      return number !== 0 && !Number.isNaN(number);
    }
    default: {
      const datatype = term.datatype.value;
      const isFalse = value.kind === 'ill-typed' && (datatype === xsd.boolean || isNumericDatatype(datatype));
      return isFalse ? false : typeError('effective boolean value');
    }
  }
}
