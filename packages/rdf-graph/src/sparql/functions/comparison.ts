import type * as RDF from '@rdfjs/types';
import { typeError } from '../../xpath/expression-error.ts';
import { compareNumeric } from './numeric.ts';
import { compareDurations, compareInstants } from './temporal.ts';
import { toValue, type Value } from './value.ts';

/**
 * The `=` operator: by value where the datatypes are known, else RDFterm-equal.
 * @throws ExpressionError for two literals that differ as terms and have no common value space.
 */
export function valueEquals(a: RDF.Term, b: RDF.Term): boolean {
  if (a.termType === 'Literal' && b.termType === 'Literal') return literalEquals(a, b);
  if (a.termType === 'Quad' && b.termType === 'Quad') {
    return (
      valueEquals(a.subject, b.subject) && valueEquals(a.predicate, b.predicate) && valueEquals(a.object, b.object)
    );
  }
  return a.equals(b);
}

function literalEquals(a: RDF.Literal, b: RDF.Literal): boolean {
  const x = toValue(a);
  const y = toValue(b);
  if (x.kind === 'duration' && y.kind === 'duration') {
    // Two durations are equal when both parts are, also where their order is open.
    return x.value.months === y.value.months && compareDurations(x.value, y.value) === 0;
  }
  if (isText(x) && isText(y) && (x.kind === 'lang-string' || y.kind === 'lang-string')) return a.equals(b);
  const order = compareValues(x, y);
  if (order !== undefined) return order === 0;
  if (a.equals(b)) return true;
  return typeError('=');
}

/** Text with a language and text without are known to differ: both were plain literals. */
function isText(value: Value): boolean {
  return value.kind === 'string' || value.kind === 'lang-string';
}

/** Negative, zero, positive or NaN (unordered) for values of one space; `undefined` for two spaces or none. */
function compareValues(a: Value, b: Value): number | undefined {
  if (a.kind === 'numeric' && b.kind === 'numeric') return compareNumeric(a.value, b.value);
  if (a.kind === 'string' && b.kind === 'string') return compareStrings(a.value, b.value);
  if (a.kind === 'boolean' && b.kind === 'boolean') return Number(a.value) - Number(b.value);
  if (a.kind === 'duration' && b.kind === 'duration') return compareDurations(a.value, b.value);
  if (a.kind === 'instant' && b.kind === 'instant' && a.datatype === b.datatype) {
    return compareInstants(a.value, b.value);
  }
  return undefined;
}

/** Compares by code points, as XPath does by default; UTF-16 order differs above U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Negative, zero, positive or NaN for the operators `<`, `>`, `<=` and `>=`.
 * @throws ExpressionError for terms that have no order: not literals, or of different value spaces.
 */
export function valueCompare(a: RDF.Term, b: RDF.Term): number {
  if (a.termType !== 'Literal' || b.termType !== 'Literal') return typeError('<');
  return compareValues(toValue(a), toValue(b)) ?? typeError('<');
}
