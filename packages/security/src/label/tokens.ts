import { isSpace, numberEnd, wordEnd } from './characters.ts';
import { labelSyntaxError } from './errors.ts';
import { readQuoted } from './quoted.ts';

/** Kind of a token. `text` stands for a word, a number or a quoted string. */
export type TokenKind = 'text' | '=' | '!=' | '&' | '|' | '(' | ')' | ',' | '*' | '!' | 'end';

const SINGLES: readonly (TokenKind | undefined)[] = Array.from({ length: 128 }, (_, code) =>
  (['=', '&', '|', '(', ')', ',', '*', '!'] as const).find((symbol) => symbol.charCodeAt(0) === code),
);
/** Kinds that a second character makes of a symbol. */
const PAIRS: Readonly<Partial<Record<TokenKind, readonly [second: string, kind: TokenKind]>>> = {
  '!': ['=', '!='],
  '&': ['&', '&'],
  '|': ['|', '|'],
};
const REFUSED_RELATION = /==|[<>]=?/y;

/** Reads a label token by token; the current one is in {@link kind}, {@link value} and {@link start}. */
export class TokenReader {
  readonly text: string;
  kind: TokenKind = 'end';
  /** Attribute name or value of a `text` token. */
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
      const character = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
      throw labelSyntaxError(text, at, `unexpected character ${character}`, ['an attribute', 'an operator']);
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
    let end = wordEnd(text, start);
    if (end === start) end = numberEnd(text, start);
    if (end === start) return false;
    this.value = text.slice(start, end);
    this.#accept('text', end);
    return true;
  }

  #acceptSymbol(): boolean {
    const { text, start } = this;
    const kind = SINGLES[text.charCodeAt(start)];
    if (kind === undefined || kind === '=') this.#refuseRelation();
    if (kind === undefined) return false;
    const pair = PAIRS[kind];
    if (pair !== undefined && text[start + 1] === pair[0]) this.#accept(pair[1], start + 2);
    else this.#accept(kind, start + 1);
    return true;
  }

  #refuseRelation(): void {
    REFUSED_RELATION.lastIndex = this.start;
    const relation = REFUSED_RELATION.exec(this.text)?.[0];
    if (relation === undefined) return;
    const problem = `the relation ${relation} is not supported; use = or !=`;
    throw labelSyntaxError(this.text, this.start, problem, ['=', '!=']);
  }
}
