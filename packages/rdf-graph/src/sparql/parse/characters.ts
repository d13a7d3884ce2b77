/**
 * The classes of characters of SPARQL's names (PN_CHARS_BASE, PN_CHARS and so on) as bits per UTF-16 code unit.
 * Surrogates are no part of them: a pair is looked at as a whole.
 */
export const Class = { base: 1, letter: 2, digit: 4, dash: 8, combining: 16, dot: 32, colon: 64, space: 128 } as const;

/** PN_CHARS_BASE or `_`: PN_CHARS_U. */
export const NAME_START: number = Class.base | Class.letter;
/** VARNAME after its start. */
export const VARIABLE_PART: number = NAME_START | Class.digit | Class.combining;
export const NAME_PART: number = VARIABLE_PART | Class.dash;

/** Letters without regard to case, as sparqljs takes them. */
const BASE =
  /^[A-Z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD]$/i;
const COMBINING = /^(?:\u00B7|[\u0300-\u036F]|[\u203F-\u2040])$/;
const SPACE = /^\s$/;

const KNOWN = 0x8000;
const classes = new Uint16Array(0x1_0000);

const ASCII: readonly (readonly [RegExp, number])[] = [
  [BASE, Class.base],
  [/_/, Class.letter],
  [/[0-9]/, Class.digit],
  [/-/, Class.dash],
  [/\./, Class.dot],
  [/:/, Class.colon],
  [COMBINING, Class.combining],
  [SPACE, Class.space],
];

function classify(code: number): number {
  const character = String.fromCharCode(code);
  let found = KNOWN;
  for (const [pattern, bit] of ASCII) if (pattern.test(character)) found |= bit;
  classes[code] = found;
  return found;
}

/** The classes of a code unit, 0 for none; NaN, past the end, has none. */
export function classOf(code: number): number {
  return classes[code] || (code >= 0 ? classify(code) : 0);
}

/** Returns true if a surrogate pair that a name may hold begins here. */
export function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdb7f) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** Returns true if a code unit is a digit of hexadecimal numbers. */
export function isHex(code: number): boolean {
  const letter = code | 32;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 102);
}

/** Where a run of characters of these classes ends that begins at `at`; surrogate pairs belong to it. */
export function endOfRun(text: string, at: number, mask: number): number {
  let end = at;
  for (;;) {
    if ((classOf(text.charCodeAt(end)) & mask) !== 0) end++;
    else if (isPair(text, end)) end += 2;
    else return end;
  }
}
