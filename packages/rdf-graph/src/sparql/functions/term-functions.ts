import type * as RDF from '@rdfjs/types';
import { resolveIri } from '../../rdf/iri.ts';
import { isLanguageTag } from '../../rdf/language-tag.ts';
import { languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError, typeError } from '../../xpath/expression-error.ts';
import { checkTextLength } from '../../xpath/limits.ts';
import { draw, type FunctionContext, type FunctionDefinition, type FunctionTable, taking } from './definition.ts';
import { booleanLiteral } from './effective-boolean-value.ts';
import { simpleArgument } from './string-argument.ts';
import { toNumeric } from './value.ts';

function unary(call: (term: RDF.Term, context: FunctionContext) => RDF.Term): FunctionDefinition {
  return taking(1, ([term], context) => call(term, context));
}

function test(holds: (term: RDF.Term) => boolean): FunctionDefinition {
  return unary((term) => booleanLiteral(holds(term)));
}

function callStr(term: RDF.Term): RDF.Term {
  if (term.termType === 'Literal') return term.datatype.value === xsd.string ? term : stringLiteral(term.value);
  return term.termType === 'NamedNode' ? stringLiteral(term.value) : typeError('str');
}

function callIri(term: RDF.Term, { baseIri }: FunctionContext): RDF.Term {
  if (term.termType === 'NamedNode') return term;
  const iri = resolveIri(simpleArgument(term, 'iri'), baseIri);
  if (iri === undefined) throw new ExpressionError('iri() got no IRI, or a relative one without a base');
  return namedNode(iri);
}

function callBnode([term]: readonly RDF.Term[], context: FunctionContext): RDF.Term {
  return context.blankNode(term === undefined ? undefined : simpleArgument(term, 'bnode'));
}

function callStrdt([text, datatype]: readonly RDF.Term[]): RDF.Term {
  const value = simpleArgument(text, 'strdt');
  if (datatype?.value === RDF_LANG_STRING) throw new ExpressionError('strdt() makes no literal with a language');
  return datatype?.termType === 'NamedNode' ? typedLiteral(value, datatype.value) : typeError('strdt');
}

function callStrlang([text, language]: readonly RDF.Term[]): RDF.Term {
  const value = simpleArgument(text, 'strlang');
  const tag = simpleArgument(language, 'strlang');
  if (!isLanguageTag(tag)) throw new ExpressionError('strlang() got no language tag');
  return languageLiteral(value, tag);
}

/** A version 4 UUID from the random source that was handed in. */
function createUuid(context: FunctionContext): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(draw(context) * 16);
    return (place === 'x' ? digit : (digit & 3) | 8).toString(16);
  });
}

/** Triple terms hold texts of their own. */
function bySize(terms: readonly RDF.Term[]): number {
  let size = 4;
  for (const term of terms) size += sizeOf(term) >> 4;
  return size;
}

/** How long triple terms are in full: what they hold twice may hold something twice in turn. */
const SIZES = new WeakMap<RDF.Term, number>();

function sizeOf(term: RDF.Term): number {
  if (term.termType !== 'Quad') return term.value.length + TERM_LENGTH;
  const known = SIZES.get(term);
  if (known !== undefined) return known;
  const size = sizeOf(term.subject) + sizeOf(term.predicate) + sizeOf(term.object) + 1;
  SIZES.set(term, size);
  return size;
}

/** A term takes some work without any text. */
const TERM_LENGTH = 64;

function callTriple([subject, predicate, object]: readonly RDF.Term[]): RDF.Term {
  const isSubject = subject?.termType !== 'Literal';
  if (!isSubject || predicate?.termType !== 'NamedNode') return typeError('triple');
  const size = sizeOf(subject) + sizeOf(predicate) + sizeOf(object) + 1;
  checkTextLength(size);
  const triple = quad(subject, predicate, object);
  SIZES.set(triple, size);
  return triple;
}

function component(name: 'subject' | 'predicate' | 'object'): FunctionDefinition {
  return unary((term) => (term.termType === 'Quad' ? term[name] : typeError(name)));
}

const isIri = test((term) => term.termType === 'NamedNode');
const iri = unary(callIri);

/** The functions on RDF terms (SPARQL 1.1, 17.4.2) and on triple terms (SPARQL 1.2). */
export const TERM_FUNCTIONS: FunctionTable = new Map<string, FunctionDefinition>([
  ['isiri', isIri],
  ['isuri', isIri],
  ['isblank', test((term) => term.termType === 'BlankNode')],
  ['isliteral', test((term) => term.termType === 'Literal')],
  ['isnumeric', test((term) => toNumeric(term) !== undefined)],
  ['sameterm', taking(2, ([a, b]) => booleanLiteral(a.equals(b)), bySize)],
  ['str', unary(callStr)],
  ['lang', unary((term) => (term.termType === 'Literal' ? stringLiteral(term.language) : typeError('lang')))],
  ['datatype', unary((term) => (term.termType === 'Literal' ? term.datatype : typeError('datatype')))],
  ['iri', iri],
  ['uri', iri],
  ['bnode', { minArgs: 0, maxArgs: 1, call: callBnode }],
  ['strdt', taking(2, callStrdt)],
  ['strlang', taking(2, callStrlang)],
  ['uuid', taking(0, (_, context) => namedNode(`urn:uuid:${createUuid(context)}`))],
  ['struuid', taking(0, (_, context) => stringLiteral(createUuid(context)))],
  ['triple', taking(3, callTriple, bySize)],
  ['istriple', test((term) => term.termType === 'Quad')],
  ['subject', component('subject')],
  ['predicate', component('predicate')],
  ['object', component('object')],
]);
