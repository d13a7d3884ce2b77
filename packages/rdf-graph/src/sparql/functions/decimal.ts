import { boundedInteger, MAX_DIGITS } from '../../xpath/limits.ts';

/** An exact decimal number: `unscaled` / 10^`scale`. `scale` is 0 or more. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** Fraction digits that a division keeps at least when it does not come out even. XPath asks for 18 digits. */
const DIVISION_DIGITS = 18;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** The value of a lexical form of xsd:decimal; `undefined` when it is none. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = text.length > MAX_DIGITS ? null : DECIMAL.exec(text);
  if (match === null) return undefined;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? '';
  if (whole === '' && fraction === '') return undefined;
  const magnitude = BigInt(whole + fraction);
  return { unscaled: match[1] === '-' ? -magnitude : magnitude, scale: fraction.length };
}

/** The canonical form of XML Schema 1.1: no exponent, no trailing zeros, no point in a whole number. */
export function formatDecimal({ unscaled, scale }: Decimal): string {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}

export function decimalOf(value: bigint | number): Decimal {
  return { unscaled: BigInt(value), scale: 0 };
}

export function exactDecimal(value: number): Decimal {
  if (Number.isInteger(value)) return { unscaled: BigInt(value), scale: 0 };
  let scale = 0;
  let scaled = value;
  // A finite double is a whole number over a power of two; each doubling moves one binary digit before the point.
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    scale++;
  }
  return { unscaled: BigInt(scaled) * 5n ** BigInt(scale), scale };
}

/** The nearest double. */
export function decimalToNumber(value: Decimal): number {
  return value.scale === 0 ? Number(value.unscaled) : Number(formatDecimal(value));
}

function aligned(a: Decimal, b: Decimal): [a: bigint, b: bigint, scale: number] {
  if (a.scale === b.scale) return [a.unscaled, b.unscaled, a.scale];
  if (a.scale < b.scale) return [a.unscaled * 10n ** BigInt(b.scale - a.scale), b.unscaled, b.scale];
  return [a.unscaled, b.unscaled * 10n ** BigInt(a.scale - b.scale), a.scale];
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The exact sum. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b);
  return { unscaled: boundedInteger(x + y), scale };
}

/** The exact difference. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b);
  return { unscaled: boundedInteger(x - y), scale };
}

/** The exact product. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return reduce({ unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale });
}

/**
 * The quotient: exact when it has at most 18 fraction digits (more for small quotients, so that 18 digits count),
 * else cut there. The divisor is not zero.
 */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const lost = digitCount(b.unscaled) - digitCount(a.unscaled) + a.scale - b.scale;
  const scale = DIVISION_DIGITS + Math.max(0, lost);
  const shift = scale - a.scale + b.scale;
  const dividend = shift >= 0 ? a.unscaled * 10n ** BigInt(shift) : a.unscaled / 10n ** BigInt(-shift);
  return reduce({ unscaled: dividend / b.unscaled, scale });
}

function digitCount(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

/** Without zeros at its end. @throws ExpressionError when it has too many digits. */
function reduce({ unscaled, scale }: Decimal): Decimal {
  const zeros = scale === 0 || unscaled % 10n !== 0n ? 0 : Math.min(scale, trailingZeros(unscaled));
  if (scale - zeros > MAX_DIGITS) boundedInteger(10n ** BigInt(MAX_DIGITS));
  return { unscaled: boundedInteger(zeros === 0 ? unscaled : unscaled / 10n ** BigInt(zeros)), scale: scale - zeros };
}

function trailingZeros(value: bigint): number {
  if (value === 0n) return Number.POSITIVE_INFINITY;
  const digits = value.toString();
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.length - end;
}

/** How a fraction is rounded to a whole number. `half-up` rounds a half towards positive infinity. */
export type Rounding = 'down' | 'up' | 'half-up' | 'truncate';

export function roundDecimal({ unscaled, scale }: Decimal, rounding: Rounding): bigint {
  const unit = 10n ** BigInt(scale);
  const quotient = unscaled / unit;
  const remainder = unscaled % unit;
  const floor = remainder < 0n ? quotient - 1n : quotient;
  switch (rounding) {
    case 'truncate':
      return quotient;
    case 'down':
      return floor;
    case 'up':
      return remainder === 0n ? quotient : floor + 1n;
    case 'half-up':
      return (unscaled - floor * unit) * 2n >= unit ? floor + 1n : floor;
  }
}
