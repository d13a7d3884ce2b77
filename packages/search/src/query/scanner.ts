import { CodedError, toSourcePosition } from '@cairn/errors';
import type { WildcardPart } from './query.ts';

const SPACE = /\s/;
const WORD_END = new Set(['(', ')', '[', ']', '{', '}', '"', '^', '~', ':', '\u3000']);

/** One character of a word, and whether it was escaped and so has no meaning of its own. */
export interface WordCharacter {
  readonly text: string;
  readonly escaped: boolean;
}

export class Scanner {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }

  peek(ahead = 0): string {
    return this.text[this.offset + ahead] ?? '';
  }

  skipSpace(): void {
    while (!this.atEnd && SPACE.test(this.peek())) this.offset++;
  }

  take(piece: string): boolean {
    if (!this.text.startsWith(piece, this.offset)) return false;
    this.offset += piece.length;
    return true;
  }

  /** Consumes a keyword when it is here as a whole word. */
  takeKeyword(keyword: string): boolean {
    if (!this.text.startsWith(keyword, this.offset)) return false;
    const after = this.text[this.offset + keyword.length];
    if (after !== undefined && !SPACE.test(after) && after !== '(' && after !== '"') return false;
    this.offset += keyword.length;
    return true;
  }

  /** Returns true if white space or the end stands `ahead` characters from here. */
  isSpaceAt(ahead: number): boolean {
    const character = this.peek(ahead);
    return character === '' || SPACE.test(character);
  }

  /** Reads a word up to white space or an operator. A colon before `//` belongs to it, as in an IRI. */
  readWord(): WordCharacter[] {
    const characters: WordCharacter[] = [];
    while (!this.atEnd) {
      const character = this.peek();
      if (character === '\\') {
        characters.push({ text: this.#readEscape(), escaped: true });
        continue;
      }
      const isIriColon = character === ':' && this.text.startsWith('://', this.offset);
      if (SPACE.test(character) || (WORD_END.has(character) && !isIriColon)) break;
      // `&&` and `||` are operators at the start of a word, and inside one when nothing but an operand can follow.
      const isWithin = this.offset > 0 && this.offset + 2 < this.text.length;
      if ((character === '&' || character === '|') && this.peek(1) === character && isWithin) break;
      characters.push({ text: character, escaped: false });
      this.offset++;
    }
    return characters;
  }

  /** Reads what is between two delimiters, the first of which is here; `\` escapes. */
  readDelimited(delimiter: string, name: string, keepsEscapes: boolean): string {
    const start = this.offset++;
    let text = '';
    while (!this.atEnd) {
      const character = this.peek();
      if (character === delimiter) {
        this.offset++;
        return text;
      }
      if (character === '\\') {
        const from = this.offset;
        const escaped = keepsEscapes ? this.#readRawEscape(delimiter) : this.#readEscape();
        text += escaped === '' ? this.text.slice(from, this.offset) : escaped;
      } else {
        text += character;
        this.offset++;
      }
    }
    throw querySyntaxError(this.text, start, `${name} is not closed`, [delimiter]);
  }

  fail(problem: string, expected: readonly string[], offset: number = this.offset): never {
    throw querySyntaxError(this.text, offset, problem, expected);
  }

  #readEscape(): string {
    const start = this.offset++;
    if (this.atEnd) this.fail('an escape has nothing to escape', ['a character after \\'], start);
    if (this.peek() === 'u' && /^[0-9a-fA-F]{4}$/.test(this.text.slice(this.offset + 1, this.offset + 5))) {
      const unit = Number.parseInt(this.text.slice(this.offset + 1, this.offset + 5), 16);
      this.offset += 5;
      return String.fromCharCode(unit);
    }
    const character = String.fromCodePoint(this.text.codePointAt(this.offset) ?? 0);
    this.offset += character.length;
    return character;
  }

  /** In a regular expression only the delimiter is unescaped here; the rest is for its own parser. */
  #readRawEscape(delimiter: string): string {
    this.offset++;
    if (this.atEnd) return '';
    const character = this.peek();
    this.offset++;
    return character === delimiter ? delimiter : `\\${character}`;
  }
}

/** The text of a word, escapes resolved. */
export function textOf(characters: readonly WordCharacter[]): string {
  return characters.map(({ text }) => text).join('');
}

export function isWild({ text, escaped }: WordCharacter): boolean {
  return !escaped && (text === '*' || text === '?');
}

export function isLone(characters: readonly WordCharacter[], text: string): boolean {
  return characters.length === 1 && characters[0].text === text && !characters[0].escaped;
}

export function toWildcardParts(characters: readonly WordCharacter[]): WildcardPart[] {
  const parts: WildcardPart[] = [];
  let text = '';
  for (const character of characters) {
    if (!isWild(character)) {
      text += character.text;
      continue;
    }
    if (text !== '') parts.push({ type: 'text', text });
    text = '';
    if (character.text === '?') parts.push({ type: 'one' });
    else if (parts.at(-1)?.type !== 'any') parts.push({ type: 'any' });
  }
  if (text !== '') parts.push({ type: 'text', text });
  return parts;
}

/** The error of a query that does not parse: `ERR_QUERY_SYNTAX` (invalid) with where and what was expected. */
export function querySyntaxError(
  text: string,
  offset: number,
  problem: string,
  expected: readonly string[],
): CodedError {
  const position = toSourcePosition(text, offset);
  const wanted = expected.length > 0 ? `; expected ${expected.join(' or ')}` : '';
  const message = `${problem} at line ${position.line}, column ${position.column}${wanted}`;
  return new CodedError({ code: 'ERR_QUERY_SYNTAX', kind: 'invalid', message, position, expected });
}
