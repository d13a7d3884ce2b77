const SPACE = 1;
const WORD_START = 2;
const WORD_END = 4;
const WORD_INSIDE = 8;

const ASCII = asciiClasses();
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u;

function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  const mark = (characters: string, bits: number): void => {
    for (const character of characters) classes[character.charCodeAt(0)]! |= bits;
  };
  const lower = 'abcdefghijklmnopqrstuvwxyz';
  mark(`${lower}${lower.toUpperCase()}_`, WORD_START | WORD_END | WORD_INSIDE);
  mark('0123456789', WORD_END | WORD_INSIDE);
  mark(':.+-', WORD_INSIDE);
  mark(' \t\r\n', SPACE);
  return classes;
}

/** Whether a code unit is white space between tokens. */
export function isSpace(unit: number): boolean {
  return unit < 128 && (ASCII[unit]! & SPACE) !== 0;
}

/** Where the word that starts at an offset ends, or the offset itself when none starts there. Cost: O(word). */
export function wordEnd(text: string, start: number): number {
  const first = text.codePointAt(start);
  if (first === undefined || !has(first, WORD_START, LETTER)) return start;
  let end = start;
  let at = start;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    if (!has(point, WORD_INSIDE, LETTER_OR_DIGIT)) break;
    at += point > 0xffff ? 2 : 1;
    // A trailing `:`, `.`, `+` or `-` is not part of the word.
    if (has(point, WORD_END, LETTER_OR_DIGIT)) end = at;
  }
  return end;
}

function has(point: number, bits: number, beyondAscii: RegExp): boolean {
  return point < 128 ? (ASCII[point]! & bits) !== 0 : beyondAscii.test(String.fromCodePoint(point));
}

const NUMBER = /[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** Where the number that starts at an offset ends, or the offset itself when none starts there. Cost: O(number). */
export function numberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? NUMBER.lastIndex : start;
}

/** Whether a text can stand in a label without quotes: a word or a number. */
export function isPlain(text: string): boolean {
  return text !== '' && (wordEnd(text, 0) === text.length || numberEnd(text, 0) === text.length);
}
