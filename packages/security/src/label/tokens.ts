import { isSpace, numberEnd, wordEnd } from './characters.ts';
import { labelSyntaxError } from './errors.ts';
import { readQuoted } from './quoted.ts';

/** What a token of a label is. `text` stands for a word, a number or a quoted string. */
export type TokenKind = 'text' | '=' | '!=' | '&' | '|' | '(' | ')' | ',' | '*' | '!' | 'end';

const SYMBOLS: readonly (readonly [string, TokenKind])[] = [
  ['!=', '!='],
  ['&&', '&'],
  ['||', '|'],
  ['=', '='],
  ['!', '!'],
  ['&', '&'],
  ['|', '|'],
  ['(', '('],
  [')', ')'],
  [',', ','],
  ['*', '*'],
];

const REFUSED_RELATIONS = ['==', '<=', '>=', '<', '>'];

/** Reads a label token by token; what stands at the cursor is in {@link kind}, {@link value} and {@link start}. */
export class TokenReader {
  readonly text: string;
  kind: TokenKind = 'end';
  /** The attribute name or value that a `text` token stands for. */
  value = '';
  start = 0;
  #end = 0;

  constructor(text: string) {
    this.text = text;
    this.next();
  }

  /** Moves to the next token. Throws `ERR_LABEL_SYNTAX` when none can start there. */
  next(): void {
    const { text } = this;
    let at = this.#end;
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    this.start = at;
    if (at === text.length) this.#accept('end', at);
    else if (!this.#acceptText() && !this.#acceptSymbol()) {
      throw labelSyntaxError(text, at, `unexpected character ${describe(text, at)}`, ['an attribute', 'an operator']);
    }
  }

  #accept(kind: TokenKind, end: number): void {
    this.kind = kind;
    this.#end = end;
  }

  #acceptText(): boolean {
    const { text, start } = this;
    const unit = text[start];
    if (unit === '"' || unit === "'") {
      const quoted = readQuoted(text, start);
      this.value = quoted.value;
      this.#accept('text', quoted.end);
      return true;
    }
    const end = Math.max(wordEnd(text, start), numberEnd(text, start));
    if (end === start) return false;
    this.value = text.slice(start, end);
    this.#accept('text', end);
    return true;
  }

  #acceptSymbol(): boolean {
    const { text, start } = this;
    const refused = REFUSED_RELATIONS.find((relation) => text.startsWith(relation, start));
    if (refused !== undefined) {
      throw labelSyntaxError(text, start, `the relation ${refused} is not supported; use = or !=`, ['=', '!=']);
    }
    const symbol = SYMBOLS.find(([written]) => text.startsWith(written, start));
    if (symbol === undefined) return false;
    this.#accept(symbol[1], start + symbol[0].length);
    return true;
  }
}

function describe(text: string, offset: number): string {
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset)!));
}
