const MANTISSA_BITS = 3;
const EXACT_LIMIT = 24;

/** The field length that each byte stands for: exact up to 24, then within an eighth. */
export const LENGTH_OF_BYTE: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => decode(byte));

/**
 * The byte of a field length: the largest whose length is not above it. Monotone, so that the byte of a smaller
 * length bounds the byte of a sum. Lengths above the range share the last byte.
 */
export function toLengthByte(length: number): number {
  const whole = Math.min(Math.floor(length), 0x7fffffff);
  if (whole < EXACT_LIMIT) return whole;
  const rest = whole - EXACT_LIMIT + (1 << MANTISSA_BITS);
  const shift = 31 - Math.clz32(rest) - MANTISSA_BITS;
  const byte = EXACT_LIMIT + shift * (1 << MANTISSA_BITS) + ((rest >>> shift) - (1 << MANTISSA_BITS));
  return Math.min(byte, 255);
}

function decode(byte: number): number {
  if (byte < EXACT_LIMIT) return byte;
  const code = byte - EXACT_LIMIT;
  const shift = code >>> MANTISSA_BITS;
  const mantissa = (1 << MANTISSA_BITS) + (code & ((1 << MANTISSA_BITS) - 1));
  return mantissa * 2 ** shift + EXACT_LIMIT - (1 << MANTISSA_BITS);
}
