import type * as RDF from '@rdfjs/types';
import { stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { XSD, xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { type Decimal, formatDecimal, parseDecimal, roundDecimal } from './decimal.ts';
import { type FunctionDefinition, type FunctionTable, taking } from './definition.ts';
import { booleanLiteral } from './effective-boolean-value.ts';
import {
  formatNumeric,
  INTEGER_DATATYPES,
  integerValue,
  type NumericValue,
  numericLiteral,
  parseNumeric,
  toDecimal,
  toDouble,
} from './numeric.ts';
import { isDurationDatatype, parseDuration, parseInstant } from './temporal.ts';
import { BOOLEANS, toNumeric, toValue } from './value.ts';

function castError(target: string): never {
  throw new ExpressionError(`the value has no ${target}`);
}

/** XML Schema collapses white space around every form but a string's. */
function trimmed(literal: RDF.Literal): string {
  return literal.value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}

function isString(literal: RDF.Literal): boolean {
  return literal.datatype.value === xsd.string;
}

function toStringForm(term: RDF.Term): RDF.Term {
  if (term.termType === 'NamedNode') return stringLiteral(term.value);
  if (term.termType !== 'Literal') return castError('xsd:string');
  const value = toValue(term);
  if (value.kind === 'numeric') return stringLiteral(numericText(value.value));
  if (value.kind === 'boolean') return stringLiteral(String(value.value));
  return stringLiteral(term.value);
}

/** XPath writes floating numbers of everyday size without an exponent. */
function numericText(value: NumericValue): string {
  if (value.type !== 'float' && value.type !== 'double') return formatNumeric(value);
  const size = Math.abs(value.value);
  if (value.value === 0) return Object.is(value.value, -0) ? '-0' : '0';
  const everyday = size >= 1e-6 && size < 1e6;
  return everyday ? formatDecimal(shortestDecimal(value)) : formatNumeric(value);
}

/** The decimal of the canonical form of a float or double: what a reader sees, not the binary fraction behind it. */
function shortestDecimal(value: NumericValue): Decimal {
  const [mantissa = '0', exponent = '0'] = formatNumeric(value).split('E');
  const { unscaled, scale } = parseDecimal(mantissa) ?? toDecimal(value);
  const shift = scale - Number(exponent);
  return shift >= 0 ? { unscaled, scale: shift } : { unscaled: unscaled * 10n ** BigInt(-shift), scale: 0 };
}

function toBoolean(literal: RDF.Literal): RDF.Term {
  if (isString(literal) || literal.datatype.value === xsd.boolean) {
    return booleanLiteral(BOOLEANS.get(trimmed(literal)) ?? castError('xsd:boolean'));
  }
  const number = toDouble(toNumeric(literal) ?? castError('xsd:boolean'));
  return booleanLiteral(number !== 0 && !Number.isNaN(number));
}

/** The number that a literal casts to before it is narrowed: a string is read under the target type. */
function sourceNumber(literal: RDF.Literal, target: string): NumericValue {
  if (isString(literal)) return parseNumeric(trimmed(literal), target) ?? castError(target);
  const value = toValue(literal);
  if (value.kind === 'boolean') return integerValue(Number(value.value));
  return value.kind === 'numeric' ? value.value : castError(target);
}

function finiteDecimal(value: NumericValue, target: string): Decimal {
  if (value.type === 'integer' || value.type === 'decimal') return toDecimal(value);
  return Number.isFinite(value.value) ? shortestDecimal(value) : castError(target);
}

/** Cuts the fraction off, then checks the bounds of a derived type. */
function toInteger(datatype: string): (literal: RDF.Literal) => RDF.Term {
  return (literal) => {
    const text = String(roundDecimal(finiteDecimal(sourceNumber(literal, datatype), datatype), 'truncate'));
    if (parseNumeric(text, datatype) === undefined) return castError(datatype);
    return typedLiteral(text, datatype);
  };
}

function toDecimalLiteral(literal: RDF.Literal): RDF.Term {
  const value = finiteDecimal(sourceNumber(literal, xsd.decimal), xsd.decimal);
  return numericLiteral({ type: 'decimal', value });
}

function toFloating(type: 'float' | 'double'): (literal: RDF.Literal) => RDF.Term {
  return (literal) => {
    const number = toDouble(sourceNumber(literal, xsd[type]));
    return numericLiteral({ type, value: type === 'float' ? Math.fround(number) : number });
  };
}

type CutText = (text: string) => string;

const asItIs: CutText = (text) => text;
const toDate: CutText = (text) => text.replace(/T[\d:.]+/, '');
const toTime: CutText = (text) => text.replace(/^[^T]*T/, '');
const atMidnight: CutText = (text) => text.replace(/^(-?\d+-\d\d-\d\d)/, '$1T00:00:00');

/** For each target the date and time types that an instant may come from, and how its text is cut. */
const INSTANT_SOURCES: Readonly<Record<string, ReadonlyMap<string, CutText>>> = {
  [xsd.dateTime]: new Map([
    [xsd.dateTime, asItIs],
    [xsd.dateTimeStamp, asItIs],
    [xsd.date, atMidnight],
  ]),
  [xsd.date]: new Map([
    [xsd.date, asItIs],
    [xsd.dateTime, toDate],
    [xsd.dateTimeStamp, toDate],
  ]),
  [xsd.time]: new Map([
    [xsd.time, asItIs],
    [xsd.dateTime, toTime],
    [xsd.dateTimeStamp, toTime],
  ]),
};

function toInstant(target: string): (literal: RDF.Literal) => RDF.Term {
  return (literal) => {
    const text = isString(literal) ? trimmed(literal) : cutInstant(literal, target);
    return parseInstant(text, target) === undefined ? castError(target) : typedLiteral(text, target);
  };
}

function cutInstant(literal: RDF.Literal, target: string): string {
  const source = literal.datatype.value;
  const cut = INSTANT_SOURCES[target].get(source);
  if (cut === undefined || parseInstant(literal.value, source) === undefined) return castError(target);
  return cut(literal.value);
}

/** A duration cast keeps its text; between the types only what the target can hold. */
function toDuration(target: string): (literal: RDF.Literal) => RDF.Term {
  return (literal) => {
    const known = isString(literal) || isDurationDatatype(literal.datatype.value);
    const text = trimmed(literal);
    if (!known || parseDuration(text, target) === undefined) return castError(target);
    return typedLiteral(text, target);
  };
}

type LiteralCast = readonly [datatype: string, cast: (literal: RDF.Literal) => RDF.Term];

const LITERAL_CASTS: readonly LiteralCast[] = [
  [xsd.boolean, toBoolean],
  [xsd.decimal, toDecimalLiteral],
  [xsd.float, toFloating('float')],
  [xsd.double, toFloating('double')],
  ...INTEGER_DATATYPES.map((datatype): LiteralCast => [datatype, toInteger(datatype)]),
  ...Object.keys(INSTANT_SOURCES).map((datatype): LiteralCast => [datatype, toInstant(datatype)]),
  ...[xsd.duration, xsd.dayTimeDuration, xsd.yearMonthDuration].map(
    (datatype): LiteralCast => [datatype, toDuration(datatype)],
  ),
];

/**
 * The cast functions by the IRI of the target datatype (SPARQL 1.1, 17.5): the seven of the standard, the types derived
 * from xsd:integer, xsd:date, xsd:time and the durations.
 */
export const CASTS: FunctionTable = new Map<string, FunctionDefinition>([
  [xsd.string, taking(1, ([term]) => toStringForm(term))],
  ...LITERAL_CASTS.map(
    ([datatype, cast]) =>
      [
        datatype,
        taking(1, ([term]) => (term?.termType === 'Literal' ? cast(term) : castError(datatype.slice(XSD.length)))),
      ] as const,
  ),
]);
