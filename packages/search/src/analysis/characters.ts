/** What a UTF-16 unit is to the scanner of tokens. */
export const SPACE = 1;
export const WORD = 2;
export const OTHER = 3;
/** Part of a surrogate pair, or of a script without spaces: a closer look is needed. */
export const SPECIAL = 4;

/** Class of each UTF-16 unit, found out when it is first asked for: 0 means not yet. */
const CLASSES = new Uint8Array(0x10000);

const ASCII_SEPARATOR = /[\s-]/;
const SEPARATOR = /[\s\p{Pd}]/u;
const ASCII_WORD = /\w/;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function classify(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return SPECIAL;
  const character = String.fromCharCode(unit);
  const isAscii = unit < 128;
  if ((isAscii ? ASCII_SEPARATOR : SEPARATOR).test(character)) return SPACE;
  if (!isAscii && UNSPACED.test(character)) return SPECIAL;
  return (isAscii ? ASCII_WORD : WORD_CHARACTER).test(character) ? WORD : OTHER;
}

/** The class of a UTF-16 unit: `SPACE` (white space or a dash), `WORD`, `OTHER` or `SPECIAL`. */
export function classOf(unit: number): number {
  const known = CLASSES[unit]!;
  if (known !== 0) return known;
  const found = classify(unit);
  CLASSES[unit] = found;
  return found;
}

/** Whether the code point at an offset is a letter, a mark, a number or `_`. */
export function isWordCharacter(text: string, offset: number): boolean {
  const kind = classOf(text.charCodeAt(offset));
  return kind === SPECIAL ? WORD_CHARACTER.test(codePointAround(text, offset)) : kind === WORD;
}

/** Whether a text has a character of a script that puts no spaces between words. */
export function hasUnspacedScript(text: string): boolean {
  return UNSPACED.test(text);
}

/** The whole code point that a unit is part of, also when the unit is a low surrogate. */
function codePointAround(text: string, offset: number): string {
  const unit = text.charCodeAt(offset);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && offset > 0;
  return String.fromCodePoint(text.codePointAt(isLow ? offset - 1 : offset)!);
}
