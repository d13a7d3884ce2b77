import { isSpace, numberEnd, wordEnd } from './characters.ts';
import { labelSyntaxError } from './errors.ts';
import { readQuoted } from './quoted.ts';

/** What a token of a label is. `text` stands for a word, a number or a quoted string. */
export type TokenKind = 'text' | '=' | '!=' | '&' | '|' | '(' | ')' | ',' | '*' | '!' | 'end';

const PAIRS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['!=', '!='],
  ['&&', '&'],
  ['||', '|'],
]);
const SINGLES: ReadonlyMap<string, TokenKind> = new Map(
  (['=', '&', '|', '(', ')', ',', '*', '!'] as const).map((symbol) => [symbol, symbol]),
);
const REFUSED_RELATIONS: ReadonlySet<string> = new Set(['==', '<=', '>=', '<', '>']);

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
    let end = wordEnd(text, start);
    if (end === start) end = numberEnd(text, start);
    if (end === start) return false;
    this.value = text.slice(start, end);
    this.#accept('text', end);
    return true;
  }

  #acceptSymbol(): boolean {
    const { text, start } = this;
    const pair = text.slice(start, start + 2);
    const single = text[start]!;
    const refused = REFUSED_RELATIONS.has(pair) ? pair : REFUSED_RELATIONS.has(single) ? single : undefined;
    if (refused !== undefined) {
      throw labelSyntaxError(text, start, `the relation ${refused} is not supported; use = or !=`, ['=', '!=']);
    }
    const paired = PAIRS.get(pair);
    const kind = paired ?? SINGLES.get(single);
    if (kind === undefined) return false;
    this.#accept(kind, start + (paired === undefined ? 1 : 2));
    return true;
  }
}

function describe(text: string, offset: number): string {
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset)!));
}
