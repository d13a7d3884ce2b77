import type * as RDF from '@rdfjs/types';
import { languageLiteral, stringLiteral } from '../../rdf/terms.ts';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { typeError } from '../../xpath/expression-error.ts';

/** A string literal: xsd:string or with a language tag. @throws ExpressionError for anything else */
export function stringArgument(term: RDF.Term | undefined, operation: string): RDF.Literal {
  if (term?.termType !== 'Literal') return typeError(operation);
  const datatype = term.datatype.value;
  return datatype === xsd.string || datatype === RDF_LANG_STRING ? term : typeError(operation);
}

/** The text of a literal of type xsd:string. @throws ExpressionError for anything else */
export function simpleArgument(term: RDF.Term | undefined, operation: string): string {
  if (term?.termType !== 'Literal' || term.datatype.value !== xsd.string) return typeError(operation);
  return term.value;
}

/**
 * Two strings that may be compared (SPARQL 1.1, 17.4.3.1.2): the second has no language, or that of the first.
 * @throws ExpressionError for anything else.
 */
export function compatibleArguments(
  [a, b]: readonly RDF.Term[],
  operation: string,
): readonly [subject: RDF.Literal, text: string] {
  const subject = stringArgument(a, operation);
  const other = stringArgument(b, operation);
  const compatible = other.language === '' || other.language.toLowerCase() === subject.language.toLowerCase();
  return compatible ? [subject, other.value] : typeError(operation);
}

export function likeLiteral(value: string, model: RDF.Literal): RDF.Literal {
  return model.language === '' ? stringLiteral(value) : languageLiteral(value, model.language);
}
