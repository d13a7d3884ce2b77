import { toSourcePosition } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { isAbsoluteIri } from './iri.ts';
import { createIriCache, type IriCache } from './iri-cache.ts';
import { countNewlines } from './line-pieces.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { BLANK_NODE_LABEL } from './term-writer.ts';
import { languageLiteral, literalOfType, namedNode, quad, stringLiteral } from './terms.ts';
import { isWellFormed } from './well-formed.ts';

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const LESS = 60;
const UNDERSCORE = 95;
const BYTE_ORDER_MARK = 0xfeff;

const HEX = /^[0-9a-fA-F]+$/;
const CHARACTERS = new Map(
  Object.entries({ t: '\t', b: '\b', n: '\n', r: '\r', f: '\f', '"': '"', "'": "'", '\\': '\\' }),
);
const LANGUAGE = /@([a-zA-Z]+(?:-[a-zA-Z0-9]+)*)/y;
const BLANK_NODE = new RegExp(`_:(${BLANK_NODE_LABEL})`, 'uy');

/** Triple terms inside one another. */
const MAX_DEPTH = 32;

export interface TermReaderOptions {
  readonly syntax: string;
  readonly blankNodes: BlankNodeScope;
  /** True when `<_:label>` is a blank node, as in RDF patch. */
  readonly blankNodeIris?: boolean;
  /** Where the text begins in its document: lines and UTF-16 units before it. Default both 0. */
  readonly origin?: { readonly line: number; readonly offset: number };
}

/** Reads terms in the syntax of N-Triples from `at` on and never beyond `end`: it is set to one line at a time. */
export class TermReader {
  text = '';
  at = 0;
  end = 0;
  readonly #syntax: string;
  readonly #blankNodes: BlankNodeScope;
  readonly #blankNodeIris: boolean;
  #origin: { line: number; offset: number };
  /** Predicates, types and graphs repeat: an IRI read once is checked and made once. */
  readonly #iris: IriCache<RDF.Term> = createIriCache((raw) => this.#toIri(raw));

  constructor(options: TermReaderOptions) {
    this.#syntax = options.syntax;
    this.#blankNodes = options.blankNodes;
    this.#blankNodeIris = options.blankNodeIris ?? false;
    this.#origin = { line: 0, offset: 0, ...options.origin };
  }

  /** Goes to the next piece of the document, after the present one. */
  setText(text: string): void {
    this.#origin = {
      line: this.#origin.line + countNewlines(this.text),
      offset: this.#origin.offset + this.text.length,
    };
    this.text = text;
    this.at = 0;
    this.end = text.length;
  }

  skipSpace(): void {
    let unit = this.text.charCodeAt(this.at);
    while (unit === SPACE || unit === TAB) unit = this.text.charCodeAt(++this.at);
  }

  /** Returns true if the next character is this one; then it is taken. */
  take(character: string): boolean {
    if (this.at >= this.end || !this.text.startsWith(character, this.at)) return false;
    this.at += character.length;
    return true;
  }

  takeWord(word: string): boolean {
    const next = this.text.charCodeAt(this.at + word.length);
    const ends = this.at + word.length >= this.end || next === SPACE || next === TAB || next === RETURN;
    return ends && this.take(word);
  }

  /** Takes what a sticky pattern matches here; `undefined` when it matches nothing. */
  takeMatch(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match === null || this.at + match[0].length > this.end) return undefined;
    this.at += match[0].length;
    return match[0];
  }

  /** Goes to the next line that is not blank or a comment and sets `end` to its end. Returns whether there is one. */
  nextLine(): boolean {
    for (;;) {
      this.#skipBlank();
      if (this.at >= this.text.length) return false;
      const newline = this.text.indexOf('\n', this.at);
      this.end = newline < 0 ? this.text.length : newline;
      if (this.text[this.at] !== '#') return true;
      this.at = this.end;
    }
  }

  #skipBlank(): void {
    let unit = this.text.charCodeAt(this.at);
    while (unit === SPACE || unit === NEWLINE || unit === RETURN || unit === TAB || unit === BYTE_ORDER_MARK) {
      unit = this.text.charCodeAt(++this.at);
    }
  }

  /** Goes to the end of the line: only a comment may be there. A lone carriage return ends a line too. */
  endLine(): void {
    this.skipSpace();
    if (this.at >= this.end) return;
    const next = this.text[this.at];
    if (next === '#') this.at = this.end;
    else if (next !== '\r') throw this.fail('the end of the line', ['end of line', 'comment']);
  }

  readTerm(depth = 0): RDF.Term {
    switch (this.at < this.end ? this.text.charCodeAt(this.at) : -1) {
      case LESS:
        return this.text.charCodeAt(this.at + 1) === LESS ? this.#readTripleTerm(depth) : this.readIri();
      case UNDERSCORE:
        return this.#readBlankNode();
      case QUOTE:
        return this.readLiteral();
      default:
        throw this.fail('a term', ['IRI', 'blank node', 'literal', 'triple term']);
    }
  }

  /** Reads `<...>`: an IRI, or a blank node where the syntax has that. */
  readIri(): RDF.Term {
    const close = this.text.charCodeAt(this.at) === LESS ? this.text.indexOf('>', this.at) : -1;
    if (close < 0 || close >= this.end) throw this.fail('an IRI', ['IRI']);
    const raw = this.text.slice(this.at + 1, close);
    const term = this.#iris(raw);
    this.at = close + 1;
    return term;
  }

  #toIri(raw: string): RDF.Term {
    const iri = raw.includes('\\') ? this.#unescape(raw, false) : raw;
    if (this.#blankNodeIris && iri.startsWith('_:')) return this.#blankNodes.labelled(iri.slice(2));
    if (!isAbsoluteIri(iri)) throw this.fail('an absolute IRI', ['absolute IRI']);
    return namedNode(iri);
  }

  #readBlankNode(): RDF.Term {
    BLANK_NODE.lastIndex = this.at;
    const match = BLANK_NODE.exec(this.text);
    if (match === null) throw this.fail('a blank node label', ['blank node label']);
    this.at += match[0].length;
    return this.#blankNodes.labelled(match[1]);
  }

  /** Reads `"..."` with its language or datatype. */
  readLiteral(): RDF.Literal {
    const value = this.readString();
    if (this.text.startsWith('^^', this.at)) {
      this.at += 2;
      return literalOfType(value, this.readIri() as RDF.NamedNode);
    }
    if (this.text[this.at] !== '@') return stringLiteral(value);
    LANGUAGE.lastIndex = this.at;
    const match = LANGUAGE.exec(this.text);
    if (match === null) throw this.fail('a language tag', ['language tag']);
    this.at += match[0].length;
    return languageLiteral(value, match[1]);
  }

  /** Reads `"..."`. */
  readString(): string {
    const start = this.at + 1;
    let close = this.text.charCodeAt(this.at) === QUOTE ? this.text.indexOf('"', start) : -1;
    while (close >= 0 && close < this.end && this.#isEscaped(close, start)) close = this.text.indexOf('"', close + 1);
    if (close < 0 || close >= this.end) throw this.fail('the end of a string', ['"']);
    const raw = this.text.slice(start, close);
    const value = raw.includes('\\') ? this.#unescape(raw, true) : raw;
    this.at = close + 1;
    return value;
  }

  #isEscaped(at: number, start: number): boolean {
    let slashes = 0;
    while (at - slashes > start && this.text[at - slashes - 1] === '\\') slashes++;
    return slashes % 2 === 1;
  }

  #unescape(raw: string, characters: boolean): string {
    let text = '';
    let from = 0;
    for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
      const code = raw[at + 1] ?? '';
      const digits = code === 'u' ? 4 : code === 'U' ? 8 : 0;
      const isCharacter = characters && CHARACTERS.has(code);
      if (digits === 0 && !isCharacter) throw this.#badEscape();
      text += raw.slice(from, at) + (isCharacter ? CHARACTERS.get(code) : this.#codePoint(raw, at + 2, digits));
      from = at + 2 + digits;
    }
    const whole = text + raw.slice(from);
    // Two escapes may make one character; half of one alone would become another in UTF-8.
    if (!isWellFormed(whole)) throw this.#badEscape();
    return whole;
  }

  #codePoint(raw: string, at: number, digits: number): string {
    const hex = raw.slice(at, at + digits);
    const code = hex.length === digits && HEX.test(hex) ? Number.parseInt(hex, 16) : Number.NaN;
    if (!(code <= 0x10ffff)) throw this.#badEscape();
    return String.fromCodePoint(code);
  }

  #badEscape(): Error {
    return this.fail('a valid escape', ['\\uXXXX', '\\UXXXXXXXX']);
  }

  /** `<<( s p o )>>` of RDF 1.2, or `<< s p o >>` of its forerunner. */
  #readTripleTerm(depth: number): RDF.Term {
    if (depth >= MAX_DEPTH) throw this.fail(`at most ${MAX_DEPTH} triple terms inside one another`, []);
    this.at += 2;
    const closing = this.take('(') ? ')>>' : '>>';
    const [subject, predicate, object] = [0, 1, 2].map((place) => {
      this.skipSpace();
      const term = this.readTerm(depth + 1);
      if (place === 0 && term.termType === 'Literal')
        throw this.fail('a subject', ['IRI', 'blank node', 'triple term']);
      if (place === 1 && term.termType !== 'NamedNode') throw this.fail('a predicate', ['IRI']);
      return term;
    });
    this.skipSpace();
    if (!this.take(closing)) throw this.fail(closing, [closing]);
    return quad(subject, predicate, object);
  }

  /** The syntax error at the present place. */
  fail(wanted: string, expected: readonly string[]): Error {
    const { line, column } = toSourcePosition(this.text, this.at);
    const position = { offset: this.#origin.offset + this.at, line: this.#origin.line + line, column };
    return rdfSyntaxError(this.#syntax, `expected ${wanted}`, position, { expected });
  }
}
