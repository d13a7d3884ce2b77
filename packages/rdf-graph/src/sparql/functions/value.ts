import type * as RDF from '@rdfjs/types';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { typeError } from '../../xpath/expression-error.ts';
import { isNumericDatatype, type NumericValue, parseNumeric } from './numeric.ts';
import {
  type Duration,
  type Instant,
  isDurationDatatype,
  isInstantDatatype,
  parseDuration,
  parseInstant,
} from './temporal.ts';

/** Value of a literal. `unknown`: a datatype that SPARQL gives no meaning. `ill-typed`: a form outside its datatype. */
export type Value =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'lang-string'; readonly value: string; readonly language: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'numeric'; readonly value: NumericValue }
  | { readonly kind: 'instant'; readonly datatype: string; readonly value: Instant }
  | { readonly kind: 'duration'; readonly value: Duration }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ill-typed' };

const UNKNOWN: Value = { kind: 'unknown' };
const ILL_TYPED: Value = { kind: 'ill-typed' };
const TRUE: Value = { kind: 'boolean', value: true };
const FALSE: Value = { kind: 'boolean', value: false };

/** Lexical forms of xsd:boolean. */
export const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a branch for each family of datatypes
export function toValue(literal: RDF.Literal): Value {
  const datatype = literal.datatype.value;
  if (datatype === xsd.string) return { kind: 'string', value: literal.value };
  if (datatype === RDF_LANG_STRING) return { kind: 'lang-string', value: literal.value, language: literal.language };
  if (isNumericDatatype(datatype)) {
    const value = parseNumeric(literal.value, datatype);
    return value === undefined ? ILL_TYPED : { kind: 'numeric', value };
  }
  if (datatype === xsd.boolean) {
    const value = BOOLEANS.get(literal.value);
    return value === undefined ? ILL_TYPED : value ? TRUE : FALSE;
  }
  if (isInstantDatatype(datatype)) {
    const value = parseInstant(literal.value, datatype);
    return value === undefined ? ILL_TYPED : { kind: 'instant', datatype: instantFamily(datatype), value };
  }
  if (isDurationDatatype(datatype)) {
    const value = parseDuration(literal.value, datatype);
    return value === undefined ? ILL_TYPED : { kind: 'duration', value };
  }
  return UNKNOWN;
}

function instantFamily(datatype: string): string {
  return datatype === xsd.dateTimeStamp ? xsd.dateTime : datatype;
}

/** The numeric value of a term; `undefined` when it is no well-formed number. */
export function toNumeric(term: RDF.Term | undefined): NumericValue | undefined {
  if (term?.termType !== 'Literal' || !isNumericDatatype(term.datatype.value)) return undefined;
  return parseNumeric(term.value, term.datatype.value);
}

/** The number of a term. @throws ExpressionError when it is none */
export function numericOf(term: RDF.Term | undefined, operation: string): NumericValue {
  return toNumeric(term) ?? typeError(operation);
}
