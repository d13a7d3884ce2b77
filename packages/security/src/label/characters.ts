const SPACE = 1;
const WORD_START = 2;
const WORD_END = 4;
const WORD_INSIDE = 8;
const NUMBER_START = 16;

const ASCII = asciiClasses();
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;
const NOTHING = /(?!)/;

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  const mark = (characters: string, bits: number): void => {
    for (const character of characters) classes[character.charCodeAt(0)] |= bits;
  };
  const lower = 'abcdefghijklmnopqrstuvwxyz';
  mark(`${lower}${lower.toUpperCase()}_`, WORD_START | WORD_END | WORD_INSIDE);
  mark('0123456789', WORD_END | WORD_INSIDE);
  mark(':.+-', WORD_INSIDE);
  mark('0123456789+-', NUMBER_START);
  mark(' \t\r\n', SPACE);
  return classes;
}

/** Returns true if a code unit is white space between tokens. */
export function isSpace(unit: number): boolean {
  return unit < 128 && (ASCII[unit] & SPACE) !== 0;
}

/** Returns the end of the word that starts at an offset, or the offset itself when none starts there. Cost: O(word). */
export function wordEnd(text: string, start: number): number {
  if (!isAt(text, start, WORD_START, LETTER)) return start;
  let end = start;
  let at = start;
  while (isAt(text, at, WORD_INSIDE, LETTER_OR_DIGIT)) {
    const endsWord = isAt(text, at, WORD_END, LETTER_OR_DIGIT);
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    // A trailing `:`, `.`, `+` or `-` is not part of the word.
    if (endsWord) end = at;
  }
  return end;
}

function isAt(text: string, at: number, bits: number, beyondAscii: RegExp): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 128) return (ASCII[unit] & bits) !== 0;
  return at < text.length && beyondAscii.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

const NUMBER = /[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Returns the end of the number that starts at an offset, or the offset itself when none starts there. Cost: O(number).
 */
export function numberEnd(text: string, start: number): number {
  if (!isAt(text, start, NUMBER_START, NOTHING)) return start;
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start;
}

/** Returns true if a text needs no quotes in a label: a word or a number. */
export function isPlain(text: string): boolean {
  return text !== '' && (wordEnd(text, 0) === text.length || numberEnd(text, 0) === text.length);
}
