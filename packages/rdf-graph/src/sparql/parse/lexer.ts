import { EOF, symbolOf } from './grammar.ts';
import { unescapeIri } from './iri-escapes.ts';
import * as patterns from './patterns.ts';
import { listWords } from './words.ts';

/** The terminal of a character that begins no token. */
export const INVALID = -1;

/** Terminals of fixed text that are no words: the longest that fits is taken. */
const PUNCTUATION = '( ) * { } ; . << >> {| |} , | / ^ ? + ! [ ] || && = != < > <= >= - ^^'.split(' ');

const T = {
  integer: [symbolOf('INTEGER'), symbolOf('INTEGER_POSITIVE'), symbolOf('INTEGER_NEGATIVE')],
  decimal: [symbolOf('DECIMAL'), symbolOf('DECIMAL_POSITIVE'), symbolOf('DECIMAL_NEGATIVE')],
  double: [symbolOf('DOUBLE'), symbolOf('DOUBLE_POSITIVE'), symbolOf('DOUBLE_NEGATIVE')],
  iri: symbolOf('IRIREF'),
  prefix: symbolOf('PNAME_NS'),
  prefixedName: symbolOf('PNAME_LN'),
  blankNode: symbolOf('BLANK_NODE_LABEL'),
  variable: symbolOf('VAR'),
  language: symbolOf('LANGTAG'),
  nil: symbolOf('NIL'),
  anonymous: symbolOf('ANON'),
  insert: symbolOf('INSERT'),
  delete: symbolOf('DELETE'),
  insertData: symbolOf('INSERTDATA'),
  deleteData: symbolOf('DELETEDATA'),
  deleteWhere: symbolOf('DELETEWHERE'),
} as const;

const SPACE = 0x20;
/** `#` */
const COMMENT = 0x23;

/** The characters that may be a word: the longest one has 14. */
const WORD = /[a-z_0-9]{1,14}/iy;
const TERMINAL_OF_WORD = new Map([...listWords()].map(([word, name]) => [word, symbolOf(name)]));
/** By `first * 128 + second`, the second 0 for marks of one character. */
const TERMINAL_OF_MARK = new Int16Array(128 * 128);
for (const mark of PUNCTUATION) {
  TERMINAL_OF_MARK[mark.charCodeAt(0) * 128 + (mark.charCodeAt(1) || 0)] = symbolOf(mark);
}

/**
 * Cuts a SPARQL text into the tokens of the grammar, in time linear in its length: the longest token wins. Gives the
 * tokens that sparqljs's own lexer gives, but for escapes in strings, which keep their case, comments between INSERT and
 * DATA, which may end as any other does, and U+1680 and U+FEFF before a name, which are white space.
 */
export class Lexer {
  readonly text: string;
  start = 0;
  end = 0;
  /** No prefix begins before this place: a run of name characters without a colon is looked at once. */
  #plainUntil = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The text of the token of a terminal. @throws where an escape in an IRI stands for what no IRI has */
  tokenOf(symbol: number): string {
    const token = this.text.slice(this.start, this.end);
    return symbol === T.iri && token.includes('\\') ? unescapeIri(token) : token;
  }

  /** Goes to the next token and gives its terminal. */
  next(): number {
    const code = this.#skipIgnored();
    if (Number.isNaN(code)) {
      this.end = this.start;
      return EOF;
    }
    const scan = code < 128 ? SCANNERS[code] : undefined;
    return scan === undefined ? this.prefixedName() || this.invalid() : scan(this);
  }

  /** Goes to where the next token begins and gives its first unit, NaN at the end. Most often one space is between. */
  #skipIgnored(): number {
    const { text, end } = this;
    this.start = text.charCodeAt(end) === SPACE ? end + 1 : end;
    const code = text.charCodeAt(this.start);
    if (code > SPACE && code < 128 && code !== COMMENT) return code;
    this.start = patterns.endOf(patterns.IGNORED, text, this.start);
    return text.charCodeAt(this.start);
  }

  /** Takes a token that ends at `end`. */
  take(symbol: number, end: number): number {
    this.end = end;
    return symbol;
  }

  invalid(): number {
    return this.take(INVALID, this.start + 1);
  }

  mark(): number {
    const { text, start } = this;
    const first = text.charCodeAt(start) * 128;
    const second = text.charCodeAt(start + 1);
    const two = second < 128 && second > 0 ? TERMINAL_OF_MARK[first + second] : 0;
    if (two > 0) return this.take(two, start + 2);
    const one = TERMINAL_OF_MARK[first] ?? 0;
    return one > 0 ? this.take(one, start + 1) : this.invalid();
  }

  /** A prefix with or without a local name; 0 where none begins. */
  prefixedName(): number {
    const { text, start } = this;
    if (start < this.#plainUntil) return 0;
    const colon = patterns.endOf(patterns.PREFIX, text, start);
    if (text[colon] === ':' && text[colon - 1] !== '.') return this.localName(colon);
    this.#plainUntil = colon;
    return 0;
  }

  localName(colon: number): number {
    const end = patterns.endOf(patterns.LOCAL_NAME, this.text, colon + 1);
    return end < 0 ? this.take(T.prefix, colon + 1) : this.take(T.prefixedName, end);
  }

  /** A word of the language, a prefixed name, or an exponent without number, which is no token of the grammar. */
  word(): number {
    return this.prefixedName() || this.#keyword();
  }

  #keyword(): number {
    const { text, start } = this;
    for (let end = patterns.endOf(WORD, text, start); end > start; end--) {
      const symbol = TERMINAL_OF_WORD.get(text.slice(start, end).toLowerCase());
      if (symbol === T.insert || symbol === T.delete) return this.#modify(symbol, end);
      if (symbol !== undefined) return this.take(symbol, end);
    }
    return this.invalid();
  }

  /** INSERT and DELETE are one token with the DATA or WHERE that follows. */
  #modify(symbol: number, end: number): number {
    const next = patterns.endOf(patterns.IGNORED, this.text, end);
    const follows = (word: string) => next > end && this.text.substr(next, word.length).toUpperCase() === word;
    if (follows('DATA')) return this.take(symbol === T.insert ? T.insertData : T.deleteData, next + 4);
    if (symbol === T.delete && follows('WHERE')) return this.take(T.deleteWhere, next + 5);
    return this.take(symbol, end);
  }

  /** A number with a sign or without, or the mark it would begin with. */
  number(sign: 0 | 1 | 2): number {
    patterns.NUMBER.lastIndex = sign === 0 ? this.start : this.start + 1;
    const found = patterns.NUMBER.exec(this.text);
    if (found === null) return this.mark();
    const kind = found[1] !== undefined ? T.double : found[2] !== undefined ? T.decimal : T.integer;
    return this.take(kind[sign], patterns.NUMBER.lastIndex);
  }

  /** A token that fits a pattern, or else a mark. */
  scanned(pattern: RegExp, symbol: number): number {
    const end = patterns.endOf(pattern, this.text, this.start);
    return end < 0 ? this.mark() : this.take(symbol, end);
  }
}

type Scan = (lexer: Lexer) => number;

function scanString(quote: string, number: 1 | 2): Scan {
  const pattern = patterns.stringPattern(quote);
  const longPattern = patterns.longStringPattern(quote);
  const symbol = symbolOf(`STRING_LITERAL${number}`);
  const longSymbol = symbolOf(`STRING_LITERAL_LONG${number}`);
  return (lexer) => {
    const end = patterns.endOf(longPattern, lexer.text, lexer.start);
    return end < 0 ? lexer.scanned(pattern, symbol) : lexer.take(longSymbol, end);
  };
}

const SPECIAL: Readonly<Record<string, Scan>> = {
  '<': (lexer) => lexer.scanned(patterns.IRI, T.iri),
  '?': (lexer) => lexer.scanned(patterns.VARIABLE, T.variable),
  $: (lexer) => lexer.scanned(patterns.VARIABLE, T.variable),
  '@': (lexer) => lexer.scanned(patterns.LANGUAGE, T.language),
  _: (lexer) => lexer.scanned(patterns.BLANK_NODE, T.blankNode),
  ':': (lexer) => lexer.localName(lexer.start),
  '.': (lexer) => lexer.number(0),
  '+': (lexer) => lexer.number(1),
  '-': (lexer) => lexer.number(2),
  '"': scanString('"', 2),
  "'": scanString("'", 1),
  '(': (lexer) => lexer.scanned(patterns.NIL, T.nil),
  '[': (lexer) => lexer.scanned(patterns.ANONYMOUS, T.anonymous),
};

function scannerOf(character: string): Scan {
  const special = SPECIAL[character];
  if (special !== undefined) return special;
  if (/[a-z]/i.test(character)) return (lexer) => lexer.word();
  return /\d/.test(character) ? (lexer) => lexer.number(0) : (lexer) => lexer.mark();
}

/** By the character a token begins with. */
const SCANNERS: readonly Scan[] = Array.from({ length: 128 }, (_, code) => scannerOf(String.fromCharCode(code)));
