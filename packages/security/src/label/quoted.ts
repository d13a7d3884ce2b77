import { labelSyntaxError } from './errors.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ t: '\t', b: '\b', n: '\n', r: '\r', f: '\f', '"': '"', "'": "'", '\\': '\\' }),
);
const ESCAPE_NAMES = [...ESCAPES.keys(), 'uXXXX', 'UXXXXXXXX'].map((name) => `\\${name}`);
const CODE_LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries({ u: 4, U: 8 }));
const HEX = /^[0-9A-Fa-f]+$/;

/** A quoted string in a label and the offset after its closing quote. */
export interface QuotedString {
  readonly value: string;
  readonly end: number;
}

/** Reads the quoted string that starts at an offset, with the escapes of Turtle. Throws `ERR_LABEL_SYNTAX`. */
export function readQuoted(text: string, start: number): QuotedString {
  const quote = text[start];
  let value = '';
  let at = start + 1;
  while (at < text.length) {
    const character = text[at];
    if (character === quote) return { value, end: at + 1 };
    if (character === '\n' || character === '\r') break;
    if (character === '\\') {
      const escaped = readEscape(text, at);
      value += escaped.value;
      at = escaped.end;
    } else {
      const point = Number(text.codePointAt(at));
      if (isSurrogate(point)) throw labelSyntaxError(text, at, 'half of a surrogate pair', ['a character']);
      value += String.fromCodePoint(point);
      at += point > 0xffff ? 2 : 1;
    }
  }
  throw labelSyntaxError(text, at, `a quoted string is not closed with ${quote}`, [quote]);
}

function readEscape(text: string, start: number): QuotedString {
  const name = text[start + 1] ?? '';
  const plain = ESCAPES.get(name);
  if (plain !== undefined) return { value: plain, end: start + 2 };
  const length = CODE_LENGTHS.get(name);
  if (length === undefined) throw labelSyntaxError(text, start, 'unknown escape in a quoted string', ESCAPE_NAMES);
  const digits = text.slice(start + 2, start + 2 + length);
  const point = digits.length === length && HEX.test(digits) ? Number.parseInt(digits, 16) : -1;
  if (point < 0 || point > 0x10ffff || isSurrogate(point)) {
    throw labelSyntaxError(text, start, `\\${name} needs ${length} hexadecimal digits of a Unicode character`, [
      `\\${name}${'X'.repeat(length)}`,
    ]);
  }
  return { value: String.fromCodePoint(point), end: start + 2 + length };
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

const NAMED_ESCAPES: ReadonlyMap<string, string> = new Map(
  [...ESCAPES].filter(([name]) => name !== "'").map(([name, character]) => [character, `\\${name}`]),
);

/** Writes a text as a quoted string of a label, in double quotes. */
export function quote(text: string): string {
  // biome-ignore format: one class
  return `"${text.replace(/["\\\u0000-\u001f\u007f]/g, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return NAMED_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
