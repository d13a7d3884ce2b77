import { Class, classOf, isPair } from './characters.ts';
import { EOF, symbolOf } from './grammar.ts';
import { scanLongString, scanNumber, scanString } from './scan-literal.ts';
import { endOfPrefix, scanBlankNode, scanIri, scanLanguage, scanLocalName, scanVariable } from './scan-name.ts';
import { listWords, MAX_WORD_LENGTH } from './words.ts';

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

const STRINGS = new Map([
  [39, [symbolOf('STRING_LITERAL1'), symbolOf('STRING_LITERAL_LONG1')]],
  [34, [symbolOf('STRING_LITERAL2'), symbolOf('STRING_LITERAL_LONG2')]],
]);

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

  get token(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Goes to the next token and gives its terminal. */
  next(): number {
    this.start = skipIgnored(this.text, this.end);
    const code = this.text.charCodeAt(this.start);
    if (Number.isNaN(code)) {
      this.end = this.start;
      return EOF;
    }
    const scan = code < 128 ? SCANNERS[code] : undefined;
    return scan === undefined ? this.#name() : scan(this, code);
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

  /** A name that begins with a letter beyond ASCII. */
  #name(): number {
    const isLetter = (classOf(this.text.charCodeAt(this.start)) & Class.base) !== 0 || isPair(this.text, this.start);
    return (isLetter && this.prefixedName()) || this.invalid();
  }

  /** A prefix with or without a local name; 0 where none begins. */
  prefixedName(): number {
    const { text, start } = this;
    if (start < this.#plainUntil) return 0;
    const colon = endOfPrefix(text, start);
    if (text.charCodeAt(colon) !== 58 || text.charCodeAt(colon - 1) === 46) {
      this.#plainUntil = colon;
      return 0;
    }
    return this.localName(colon);
  }

  localName(colon: number): number {
    const end = scanLocalName(this.text, colon + 1);
    return this.take(end > colon + 1 ? T.prefixedName : T.prefix, end);
  }

  /** A word of the language, a prefixed name, or an exponent without number, which is no token of the grammar. */
  word(): number {
    return this.prefixedName() || this.#keyword();
  }

  #keyword(): number {
    const { text, start } = this;
    let end = start;
    while (end - start < MAX_WORD_LENGTH && (classOf(text.charCodeAt(end)) & WORD_PART) !== 0) end++;
    for (; end > start; end--) {
      const symbol = TERMINAL_OF_WORD.get(text.slice(start, end).toLowerCase());
      if (symbol === T.insert || symbol === T.delete) return this.#modify(symbol, end);
      if (symbol !== undefined) return this.take(symbol, end);
    }
    return this.invalid();
  }

  /** INSERT and DELETE are one token with the DATA or WHERE that follows. */
  #modify(symbol: number, end: number): number {
    const next = skipIgnored(this.text, end);
    const follows = (word: string) => next > end && this.text.substr(next, word.length).toUpperCase() === word;
    if (follows('DATA')) return this.take(symbol === T.insert ? T.insertData : T.deleteData, next + 4);
    if (symbol === T.delete && follows('WHERE')) return this.take(T.deleteWhere, next + 5);
    return this.take(symbol, end);
  }

  /** A number with a sign or without, or the mark it would begin with. */
  number(sign: 0 | 1 | 2): number {
    const found = scanNumber(this.text, sign === 0 ? this.start : this.start + 1);
    if (found === undefined) return this.mark();
    const kind = found.kind === 'INTEGER' ? T.integer : found.kind === 'DECIMAL' ? T.decimal : T.double;
    return this.take(kind[sign], found.end);
  }

  /** A token that a scanner finds, or else a mark. */
  scanned(scan: (text: string, at: number) => number, symbol: number): number {
    const end = scan(this.text, this.start);
    return end < 0 ? this.mark() : this.take(symbol, end);
  }

  string(quote: number): number {
    // biome-ignore lint/style/noNonNullAssertion: called with quotes alone
    const [short, long] = STRINGS.get(quote)!;
    const end = scanLongString(this.text, this.start);
    return end < 0 ? this.scanned(scanString, short) : this.take(long, end);
  }

  /** Brackets with nothing but white space inside are one token. */
  brackets(closing: number, symbol: number): number {
    const { text, start } = this;
    for (let end = start + 1; ; end++) {
      const code = text.charCodeAt(end);
      if (code === closing) return this.take(symbol, end + 1);
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return this.mark();
    }
  }
}

const WORD_PART = Class.base | Class.letter | Class.digit;

/** Where the next token begins: after white space and comments. */
function skipIgnored(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 35) at = endOfLine(text, at);
    else if ((classOf(code) & Class.space) !== 0) at++;
    else return at;
  }
}

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return text.length;
}

type Scan = (lexer: Lexer, code: number) => number;

const SPECIAL: Readonly<Record<string, Scan>> = {
  '<': (lexer) => lexer.scanned(scanIri, T.iri),
  '?': (lexer) => lexer.scanned(scanVariable, T.variable),
  $: (lexer) => lexer.scanned(scanVariable, T.variable),
  '@': (lexer) => lexer.scanned(scanLanguage, T.language),
  _: (lexer) => lexer.scanned(scanBlankNode, T.blankNode),
  ':': (lexer) => lexer.localName(lexer.start),
  '.': (lexer) => lexer.number(0),
  '+': (lexer) => lexer.number(1),
  '-': (lexer) => lexer.number(2),
  '"': (lexer, quote) => lexer.string(quote),
  "'": (lexer, quote) => lexer.string(quote),
  '(': (lexer) => lexer.brackets(41, T.nil),
  '[': (lexer) => lexer.brackets(93, T.anonymous),
};

function scannerOf(code: number): Scan {
  const special = SPECIAL[String.fromCharCode(code)];
  if (special !== undefined) return special;
  const classes = classOf(code);
  if ((classes & Class.base) !== 0) return (lexer) => lexer.word();
  if ((classes & Class.digit) !== 0) return (lexer) => lexer.number(0);
  return (lexer) => lexer.mark();
}

/** By the character a token begins with. */
const SCANNERS: readonly Scan[] = Array.from({ length: 128 }, (_, code) => scannerOf(code));
