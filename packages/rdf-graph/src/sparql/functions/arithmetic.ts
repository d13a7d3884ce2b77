import { ExpressionError } from '../../xpath/expression-error.ts';
import { boundedInteger } from '../../xpath/limits.ts';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  type Rounding,
  roundDecimal,
  subtractDecimals,
} from './decimal.ts';
import { commonType, integerValue, type NumericValue, toDecimal, toDouble } from './numeric.ts';

/** One operation in each arithmetic. The small one may give an inexact result: then the big one is asked. */
interface Arithmetic {
  small(a: number, b: number): number;
  big(a: bigint, b: bigint): bigint;
  decimal(a: Decimal, b: Decimal): Decimal;
}

const ADD: Arithmetic = { small: (a, b) => a + b, big: (a, b) => a + b, decimal: addDecimals };
const SUBTRACT: Arithmetic = { small: (a, b) => a - b, big: (a, b) => a - b, decimal: subtractDecimals };
const MULTIPLY: Arithmetic = { small: (a, b) => a * b, big: (a, b) => a * b, decimal: multiplyDecimals };

function compute(operation: Arithmetic, a: NumericValue, b: NumericValue): NumericValue {
  if (a.type === 'integer' && b.type === 'integer') return computeIntegers(operation, a.value, b.value);
  const type = commonType(a, b);
  if (type === 'decimal' || type === 'integer') {
    return { type: 'decimal', value: operation.decimal(toDecimal(a), toDecimal(b)) };
  }
  return floating(type, operation.small(toDouble(a), toDouble(b)));
}

function computeIntegers(operation: Arithmetic, a: number | bigint, b: number | bigint): NumericValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = operation.small(a, b);
    if (Number.isSafeInteger(result)) return integerValue(result);
  }
  return integerValue(boundedInteger(operation.big(BigInt(a), BigInt(b))));
}

function floating(type: 'float' | 'double', value: number): NumericValue {
  return { type, value: type === 'float' ? Math.fround(value) : value };
}

type Operation = (a: NumericValue, b: NumericValue) => NumericValue;

/** The sum, the difference and the product, each in the common type of both. */
export const add: Operation = (a, b) => compute(ADD, a, b);
export const subtract: Operation = (a, b) => compute(SUBTRACT, a, b);
export const multiply: Operation = (a, b) => compute(MULTIPLY, a, b);

/**
 * The quotient; of two integers a decimal.
 * @throws ExpressionError when an integer or decimal is divided by zero, or for too many digits; floats and doubles give INF or NaN.
 */
export function divide(a: NumericValue, b: NumericValue): NumericValue {
  const type = commonType(a, b);
  if (type === 'float' || type === 'double') return floating(type, toDouble(a) / toDouble(b));
  const divisor = toDecimal(b);
  if (divisor.unscaled === 0n) throw new ExpressionError('division by zero');
  return { type: 'decimal', value: divideDecimals(toDecimal(a), divisor) };
}

/** The number with its sign changed. */
export function negate(value: NumericValue): NumericValue {
  if (value.type === 'integer') return integerValue(-value.value);
  if (value.type === 'decimal') {
    return { type: 'decimal', value: { unscaled: -value.value.unscaled, scale: value.value.scale } };
  }
  return floating(value.type, -value.value);
}

/** The number without its sign. */
export function absolute(value: NumericValue): NumericValue {
  const negative = value.type === 'decimal' ? value.value.unscaled < 0n : value.value < 0 || Object.is(value.value, -0);
  return negative ? negate(value) : value;
}

/** The number rounded to a whole one of the same type. */
export function round(value: NumericValue, rounding: Rounding): NumericValue {
  if (value.type === 'integer') return value;
  if (value.type === 'decimal') {
    return { type: 'decimal', value: { unscaled: roundDecimal(value.value, rounding), scale: 0 } };
  }
  return floating(value.type, ROUND_DOUBLE[rounding](value.value));
}

const ROUND_DOUBLE: Readonly<Record<Rounding, (value: number) => number>> = {
  down: Math.floor,
  up: Math.ceil,
  'half-up': Math.round,
  truncate: Math.trunc,
};
