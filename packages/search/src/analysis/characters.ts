const SPACE = 1;
const WORD = 2;

/** Class of each ASCII unit: 1 separates tokens, 2 belongs to a word, 0 is trimmed at the ends of a token. */
const ASCII_CLASS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => classifyAscii(unit));

const SEPARATOR = /[\s\p{Pd}]/u;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function classifyAscii(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/[\s-]/.test(character)) return SPACE;
  return /\w/.test(character) ? WORD : 0;
}

/** Whether the code point at an offset separates tokens: white space or a dash. */
export function isSeparator(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit < 128 ? ASCII_CLASS[unit] === SPACE : SEPARATOR.test(text[offset]!);
}

/** Whether the code point at an offset is a letter, a mark, a number or `_`. */
export function isWordCharacter(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return unit < 128 ? ASCII_CLASS[unit] === WORD : WORD_CHARACTER.test(codePointAround(text, offset));
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
