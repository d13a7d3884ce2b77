import { detectUtf16, findBom } from '../charset/unicode.ts';

const SAMPLE_BYTES = 65_536;

/** Returns true if bytes look like text: no control characters that text does not use, outside UTF-16 and -32. */
export function isTextLike(bytes: Uint8Array): boolean {
  if (findBom(bytes) !== undefined || detectUtf16(bytes) !== undefined) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) return false;
    if (isOddControl(byte)) odd++;
  }
  return odd * 100 <= sample.length;
}

/** C0 controls other than tab, line feed, form feed, carriage return, and escape (ISO-2022 charsets switch with it). */
function isOddControl(byte: number): boolean {
  return byte < 32 ? !(byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 27) : byte === 127;
}
