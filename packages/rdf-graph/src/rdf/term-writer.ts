import { badArgument, CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { isLanguageTag } from './language-tag.ts';
import { isPlainString } from './terms.ts';

const STRING_ESCAPES = /["\\\n\r]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const IRI_FORBIDDEN = /[\x00-\x20<>"{}|^`\\]/g;
const NAME_START = '\\p{L}\\p{Nl}_0-9';
/** A regular expression for what may be after `_:`. */
export const BLANK_NODE_LABEL: string = `[${NAME_START}](?:[${NAME_START}\\-\\u00b7\\p{M}.]*[${NAME_START}\\-\\u00b7\\p{M}])?`;
const IS_BLANK_NODE_LABEL = new RegExp(`^${BLANK_NODE_LABEL}$`, 'u');

/**
 * A term in the syntax of N-Triples. The default graph is written as nothing.
 * @throws `ERR_ARGUMENT` (invalid) for what is no term of RDF; a variable is none. `ERR_TERM_UNSUPPORTED` (invalid) for a
 *   language that is no language tag: it could not be written unharmed
 */
export function writeTerm(term: RDF.Term): string {
  switch (term?.termType) {
    case 'NamedNode':
      return writeIri(term.value);
    case 'Literal':
      return writeLiteral(term);
    case 'BlankNode':
      return `_:${toBlankNodeLabel(term.value)}`;
    case 'Quad':
      return `<<( ${writeTerm(term.subject)} ${writeTerm(term.predicate)} ${writeTerm(term.object)} )>>`;
    case 'DefaultGraph':
      return '';
    default:
      throw badArgument('a term', 'a term of RDF other than a variable', term);
  }
}

/** Returns true if an IRI holds nothing that would have to be escaped. */
export function isPlainIri(iri: string): boolean {
  return iri.search(IRI_FORBIDDEN) < 0;
}

/** `<...>` with what an IRI may not hold escaped. */
export function writeIri(iri: string): string {
  return `<${iri.replace(IRI_FORBIDDEN, escapeUnit)}>`;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `"..."` with its escapes. */
export function writeString(text: string): string {
  return `"${text.replace(STRING_ESCAPES, (character) => SHORT_ESCAPES[character])}"`;
}

function writeLiteral(literal: RDF.Literal): string {
  const text = writeString(literal.value);
  if (literal.language !== '') return `${text}@${checkedLanguage(literal.language)}`;
  return isPlainString(literal) ? text : `${text}^^${writeIri(literal.datatype.value)}`;
}

/** @throws `ERR_TERM_UNSUPPORTED` (invalid) unless a language is a language tag. */
export function checkedLanguage(language: string): string {
  if (isLanguageTag(language)) return language;
  const message = `a language is a tag such as en or de-CH; got ${JSON.stringify(language.slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid', message });
}

/** Returns true if a label can be written after `_:`. */
export function isBlankNodeLabel(label: string): boolean {
  return IS_BLANK_NODE_LABEL.test(label);
}

const ENCODED_LABEL = /^x(?:[0-9a-f]+(?:-[0-9a-f]+)*)?$/;

/**
 * The label as it is written after `_:`. One that the syntax does not take is written in hexadecimal, and so is one that
 * looks so: no two become one.
 */
export function toBlankNodeLabel(label: string): string {
  if (isBlankNodeLabel(label) && !ENCODED_LABEL.test(label)) return label;
  return `x${Array.from(label, (character) => character.codePointAt(0)?.toString(16)).join('-')}`;
}

/** A quad as a line of N-Quads, without the line end. @throws `ERR_ARGUMENT` (invalid) for what is no quad of terms */
export function writeQuad(quad: RDF.BaseQuad): string {
  if (typeof quad !== 'object' || quad === null) throw badArgument('a quad', 'an object', quad);
  const triple = `${writeTerm(quad.subject)} ${writeTerm(quad.predicate)} ${writeTerm(quad.object)}`;
  const graph = writeTerm(quad.graph);
  return graph === '' ? `${triple} .` : `${triple} ${graph} .`;
}
