import { isHex } from './characters.ts';

/*
 * Scanners of numbers and strings.
 */

const DOT = 46;

function endOfDigits(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(end)) end++;
  return end;
}

/** `e5`, `E-7`: where it ends, or -1. */
export function scanExponent(text: string, at: number): number {
  if ((text.charCodeAt(at) | 32) !== 101) return -1;
  const sign = text.charCodeAt(at + 1);
  const start = sign === 43 || sign === 45 ? at + 2 : at + 1;
  const end = endOfDigits(text, start);
  return end === start ? -1 : end;
}

/** A number without sign: its kind and where it ends. */
export interface ScannedNumber {
  readonly kind: 'INTEGER' | 'DECIMAL' | 'DOUBLE';
  readonly end: number;
}

/** The longest number that begins here, if any. `1.` is an integer and a dot. */
export function scanNumber(text: string, at: number): ScannedNumber | undefined {
  const whole = endOfDigits(text, at);
  const isDotted = text.charCodeAt(whole) === DOT;
  const fraction = isDotted ? endOfDigits(text, whole + 1) : whole;
  const hasFraction = isDotted && fraction > whole + 1;
  if (whole === at && !hasFraction) return undefined;
  const end = scanExponent(text, fraction);
  if (end > 0) return { kind: 'DOUBLE', end };
  if (hasFraction) return { kind: 'DECIMAL', end: fraction };
  return { kind: 'INTEGER', end: whole };
}

const BACKSLASH = 92;
const ESCAPES = new Set([...'tbnrf\\"\''].map((character) => character.charCodeAt(0)));

/** The length of the escape at a backslash, 0 where it is none. */
function lengthOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at + 1);
  if (ESCAPES.has(code)) return 2;
  const digits = code === 117 ? 4 : code === 85 ? 8 : 0;
  for (let i = 0; i < digits; i++) if (!isHex(text.charCodeAt(at + 2 + i))) return 0;
  return digits === 0 ? 0 : 2 + digits;
}

export function scanString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let end = at + 1; end < text.length; ) {
    const code = text.charCodeAt(end);
    if (code === quote) return end + 1;
    if (code === 10 || code === 13) return -1;
    const step = code === BACKSLASH ? lengthOfEscape(text, end) : 1;
    if (step === 0) return -1;
    end += step;
  }
  return -1;
}

export function scanLongString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  if (!isTriple(text, at, quote)) return -1;
  for (let end = at + 3; end < text.length; ) {
    const code = text.charCodeAt(end);
    if (code === quote && isTriple(text, end, quote)) return end + 3;
    const step = code === BACKSLASH ? lengthOfEscape(text, end) : 1;
    if (step === 0) return -1;
    end += step;
  }
  return -1;
}

function isTriple(text: string, at: number, quote: number): boolean {
  return text.charCodeAt(at) === quote && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
}
