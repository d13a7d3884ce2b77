import type * as RDF from '@rdfjs/types';
import { typedLiteral } from '../../rdf/terms.ts';
import { XSD, xsd } from '../../rdf/vocabulary.ts';
import { MAX_DIGITS } from '../../xpath/limits.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalToNumber,
  exactDecimal,
  formatDecimal,
  parseDecimal,
} from './decimal.ts';

/** The four numeric types of XPath that SPARQL computes with, in the order of promotion. */
export type NumericType = 'integer' | 'decimal' | 'float' | 'double';

/** A number with its type. An integer is a `number` while that is exact and a `bigint` beyond. */
export type NumericValue =
  | { readonly type: 'integer'; readonly value: number | bigint }
  | { readonly type: 'decimal'; readonly value: Decimal }
  | { readonly type: 'float' | 'double'; readonly value: number };

const INTEGER = /^[+-]?\d+$/;
const FLOATING = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN)$/;

/** Inclusive bounds of the types derived from xsd:integer. */
const INTEGER_BOUNDS: ReadonlyMap<string, readonly [min: bigint | undefined, max: bigint | undefined]> = new Map([
  ['integer', [undefined, undefined]],
  ['nonPositiveInteger', [undefined, 0n]],
  ['negativeInteger', [undefined, -1n]],
  ['nonNegativeInteger', [0n, undefined]],
  ['positiveInteger', [1n, undefined]],
  ['long', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['int', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['short', [-32768n, 32767n]],
  ['byte', [-128n, 127n]],
  ['unsignedLong', [0n, 2n ** 64n - 1n]],
  ['unsignedInt', [0n, 2n ** 32n - 1n]],
  ['unsignedShort', [0n, 65535n]],
  ['unsignedByte', [0n, 255n]],
]);

/** IRIs of xsd:integer and the types derived from it. */
export const INTEGER_DATATYPES: readonly string[] = [...INTEGER_BOUNDS.keys()].map((name) => XSD + name);

const NUMERIC_TYPES: ReadonlySet<string> = new Set([...INTEGER_DATATYPES, xsd.decimal, xsd.float, xsd.double]);

/** Returns true if a datatype IRI is xsd:integer, a type derived from it, xsd:decimal, xsd:float or xsd:double. */
export function isNumericDatatype(iri: string): boolean {
  return NUMERIC_TYPES.has(iri);
}

/**
 * The value of a lexical form under a numeric datatype; `undefined` when the form is not in its lexical space, or longer
 * than a number may be to be computed with.
 */
export function parseNumeric(text: string, datatype: string): NumericValue | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  switch (datatype) {
    case xsd.integer:
      return parseInteger(text);
    case xsd.decimal: {
      const value = parseDecimal(text);
      return value && { type: 'decimal', value };
    }
    case xsd.double:
      return FLOATING.test(text) ? { type: 'double', value: parseFloating(text) } : undefined;
    case xsd.float:
      return FLOATING.test(text) ? { type: 'float', value: Math.fround(parseFloating(text)) } : undefined;
    default:
      return parseBoundedInteger(text, datatype);
  }
}

function parseInteger(text: string): NumericValue | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  return integerValue(Number.isSafeInteger(value) ? value : BigInt(text.replace(/^\+/, '')));
}

function parseBoundedInteger(text: string, datatype: string): NumericValue | undefined {
  const bounds = datatype.startsWith(XSD) ? INTEGER_BOUNDS.get(datatype.slice(XSD.length)) : undefined;
  const parsed = bounds && parseInteger(text);
  if (bounds === undefined || parsed?.type !== 'integer') return undefined;
  const [min, max] = bounds;
  const outside = (min !== undefined && parsed.value < min) || (max !== undefined && parsed.value > max);
  return outside ? undefined : parsed;
}

function parseFloating(text: string): number {
  if (text.endsWith('INF')) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

/** An integer value; a `bigint` that a `number` holds exactly becomes one, and -0 becomes 0. */
export function integerValue(value: number | bigint): NumericValue {
  if (typeof value === 'number') return { type: 'integer', value: value + 0 };
  const small = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return { type: 'integer', value: small ? Number(value) : value };
}

export function toDouble(value: NumericValue): number {
  return value.type === 'decimal' ? decimalToNumber(value.value) : Number(value.value);
}

export function toDecimal(value: NumericValue): Decimal {
  return value.type === 'decimal' ? value.value : decimalOf(value.value);
}

const RANK: Readonly<Record<NumericType, number>> = { integer: 0, decimal: 1, float: 2, double: 3 };

/** The type that two operands are promoted to: the later of the two in the order of promotion. */
export function commonType(a: NumericValue, b: NumericValue): NumericType {
  return RANK[a.type] >= RANK[b.type] ? a.type : b.type;
}

/** Compares by value after promotion: negative, zero or positive; `NaN` when either is NaN. */
export function compareNumeric(a: NumericValue, b: NumericValue): number {
  if (a.type === 'integer' && b.type === 'integer') return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  const type = commonType(a, b);
  if (type === 'decimal') return compareDecimals(toDecimal(a), toDecimal(b));
  const [x, y] = type === 'float' ? [Math.fround(toDouble(a)), Math.fround(toDouble(b))] : [toDouble(a), toDouble(b)];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
}

/** Compares by exact value, with no promotion: a total order with NaN first. Numbers of every type stay transitive. */
export function compareNumericExactly(a: NumericValue, b: NumericValue): number {
  const x = toDouble(a);
  const y = toDouble(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(!Number.isNaN(x)) - Number(!Number.isNaN(y));
  if (x !== y) return x < y ? -1 : 1;
  return Number.isFinite(x) ? compareDecimals(toExact(a), toExact(b)) : 0;
}

function toExact(value: NumericValue): Decimal {
  return value.type === 'float' || value.type === 'double' ? exactDecimal(value.value) : toDecimal(value);
}

/** The canonical lexical form. */
export function formatNumeric(value: NumericValue): string {
  switch (value.type) {
    case 'integer':
      return String(value.value);
    case 'decimal':
      return formatDecimal(value.value);
    case 'float':
      return formatFloating(value.value, floatDigits(value.value));
    case 'double':
      return formatFloating(value.value, value.value.toExponential());
  }
}

/** The fewest digits that give the same float back, in exponential form. */
function floatDigits(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential(9);
}

function formatFloating(value: number, exponential: string): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (Object.is(value, -0)) return '-0.0E0';
  const [mantissa = '0', exponent = '0'] = exponential.split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

export function numericLiteral(value: NumericValue): RDF.Literal {
  return typedLiteral(formatNumeric(value), xsd[value.type]);
}

export function integerLiteral(value: number): RDF.Literal {
  return typedLiteral(String(value), xsd.integer);
}
