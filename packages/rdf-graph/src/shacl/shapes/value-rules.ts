import type * as RDF from '@rdfjs/types';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { compileRegex } from '../../xpath/regex.ts';
import { shName } from '../vocabulary.ts';

/** Returns what a value must be; `undefined` when it is. */
export type ValueRule = (value: RDF.Term) => string | undefined;

const INTEGER = /^[+-]?\d+$/;
const NODE_KINDS: ReadonlySet<string> = new Set([
  'BlankNode',
  'IRI',
  'Literal',
  'BlankNodeOrIRI',
  'BlankNodeOrLiteral',
  'IRIOrLiteral',
]);

const isLiteralOf = (value: RDF.Term, datatype: string): value is RDF.Literal =>
  value.termType === 'Literal' && value.datatype.value === datatype;

export const anyTerm: ValueRule = () => undefined;

export const iri: ValueRule = (value) => (value.termType === 'NamedNode' ? undefined : 'must be an IRI');

export const literal: ValueRule = (value) => (value.termType === 'Literal' ? undefined : 'must be a literal');

export const iriOrLiteral: ValueRule = (value) =>
  value.termType === 'BlankNode' ? 'must be an IRI or a literal' : undefined;

export const node: ValueRule = (value) =>
  value.termType === 'Literal' ? 'must be a shape: an IRI or blank node' : undefined;

export const integer: ValueRule = (value) =>
  isLiteralOf(value, xsd.integer) && INTEGER.test(value.value) ? undefined : 'must be an xsd:integer';

export const boolean: ValueRule = (value) =>
  isLiteralOf(value, xsd.boolean) && /^(?:true|false|1|0)$/.test(value.value) ? undefined : 'must be an xsd:boolean';

export const string: ValueRule = (value) => (isLiteralOf(value, xsd.string) ? undefined : 'must be an xsd:string');

export const text: ValueRule = (value) =>
  isLiteralOf(value, xsd.string) || isLiteralOf(value, RDF_LANG_STRING) ? undefined : 'must be a text';

export const nodeKind: ValueRule = (value) => {
  const name = shName(value);
  return name !== undefined && NODE_KINDS.has(name) ? undefined : `must be one of sh:${[...NODE_KINDS].join(', sh:')}`;
};

/** Longer patterns are compiled for longer than a check of shapes may take, in UTF-16 units. */
const MAX_PATTERN_UNITS = 10_000;

/** Returns why a pattern with its flags cannot be matched in linear time; `undefined` when it can. */
export function patternProblem(pattern: string, flags: string): string | undefined {
  if (pattern.length > MAX_PATTERN_UNITS) {
    return `must have at most ${MAX_PATTERN_UNITS} characters; got ${pattern.length}`;
  }
  try {
    compileRegex(pattern, flags);
    return undefined;
  } catch (error) {
    return `must be a regular expression that runs in linear time: ${error instanceof Error ? error.message : ''}`;
  }
}
