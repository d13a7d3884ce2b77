import { badArgument, checkText } from '@cairn/errors';
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
 * with a direction gives a literal of that language. Types and terms of somebody else that are none are refused with
 * `ERR_ARGUMENT` (invalid).
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
    fromQuad,
  };
}

export function toLiteral(value: string, type?: string | RDF.NamedNode | RDF.DirectionalLanguage | null): RDF.Literal {
  if (type === undefined || type === null) return stringLiteral(value);
  if (typeof type === 'string') return languageLiteral(value, type);
  const { value: datatype, language }: Partial<RDF.NamedNode & RDF.DirectionalLanguage> = type;
  if (typeof language === 'string') return languageLiteral(value, language);
  if (typeof datatype === 'string') return typedLiteral(value, datatype);
  throw badArgument('the type of a literal', 'a language or a datatype', type);
}

function fromQuad(original: RDF.BaseQuad): RDF.Quad {
  if (typeof original !== 'object' || nullable(original) === null) throw badArgument('a quad', 'an object', original);
  const [s, p, o, g] = [original.subject, original.predicate, original.object, original.graph].map(fromTerm);
  return quad(s, p, o, g);
}

function fromTerm(original: RDF.Term): RDF.Term {
  const { termType, value }: Partial<RDF.Term> = nullable(original) ?? {};
  if (termType !== undefined) checkText(value, 'the value of a term');
  switch (termType) {
    case 'NamedNode':
      return namedNode(original.value);
    case 'BlankNode':
      return blankNode(original.value);
    case 'Literal':
      return fromLiteral(original as RDF.Literal);
    case 'Variable':
      return variable(original.value);
    case 'DefaultGraph':
      return defaultGraph();
    case 'Quad':
      return fromQuad(original as RDF.BaseQuad);
    default:
      throw badArgument('a term', 'one of RDF/JS', original);
  }
}

/** Callers without types pass anything. */
function nullable<T>(value: T): T | null | undefined {
  return value;
}

function fromLiteral({ value, language, datatype }: RDF.Literal): RDF.Literal {
  checkText(language, 'the language of a literal');
  if (language !== '') return languageLiteral(value, language);
  checkText(nullable(datatype)?.value, 'the datatype of a literal');
  return typedLiteral(value, datatype.value);
}

/** The data factory of our terms. */
export const dataFactory: RDF.DataFactory = Object.freeze(createDataFactory());
