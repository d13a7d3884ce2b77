import type { SourcePosition } from '@cairn/errors';
import { createIriCache } from '../iri-cache.ts';
import { rdfSyntaxError, rdfTooLarge } from '../syntax-error.ts';
import type { JsonValue } from './json.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const NEWLINE = 10;

/** Bounds of {@link JsonReader}. */
interface JsonLimits {
  /** Objects and arrays inside one another. */
  readonly maxNesting: number;
  /** UTF-16 units of one string or number. */
  readonly maxTokenUnits: number;
}

/** Takes the parts of a document as they end. */
export interface JsonHandler {
  /** Returns true if the items of the array that now begins, a member of the document's object, are wanted one by one. */
  startArray(name: string): boolean;
  /** An item of the document's array, or of one that is taken item by item. */
  item(value: JsonValue, start: SourcePosition): void;
  /** A member of the document's object; after an array that was taken item by item nothing comes. */
  member(name: string, value: JsonValue): void;
}

/** The next thing that may come. */
const Next = { value: 0, itemOrEnd: 1, nameOrEnd: 2, name: 3, colon: 4, commaOrEnd: 5, nothing: 6 } as const;
type Next = (typeof Next)[keyof typeof Next];

const EXPECTED: Readonly<Record<Next, string>> = {
  [Next.value]: 'expected a value',
  [Next.itemOrEnd]: 'expected a value or the end of the array',
  [Next.nameOrEnd]: 'expected a name in quotes or the end of the object',
  [Next.name]: 'expected a name in quotes',
  [Next.colon]: 'expected a colon',
  [Next.commaOrEnd]: 'expected a comma or the end of the object or array',
  [Next.nothing]: 'the document goes on after its end',
};

/** An object or array that is not at its end. */
interface Container {
  readonly items: JsonValue[] | undefined;
  readonly members: Map<string, JsonValue>;
  /** Its parts go to the handler and are kept nowhere else. */
  readonly isHandled: boolean;
  name: string;
}

const NO_MEMBERS = new Map<string, JsonValue>();
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads JSON piece by piece. The document is an object or an array; its parts go to a handler. Cost: O(text). */
export class JsonReader {
  readonly #handler: JsonHandler;
  readonly #limits: JsonLimits;
  readonly #names = createIriCache((name) => name);
  readonly #open: Container[] = [];
  #next: Next = Next.value;
  #text = '';
  #at = 0;
  /** Units before this piece, and where the current line begins. No string has a line end in it. */
  #offset = 0;
  #line = 1;
  #lineOffset = 0;
  /** The begin of a string or word that goes on in the next piece. */
  #begun = '';
  #token: 'string' | 'word' | undefined;
  #hasEscapes = false;
  #isAfterBackslash = false;
  #itemStart: SourcePosition = { offset: 0, line: 1, column: 1 };

  constructor(handler: JsonHandler, limits: JsonLimits) {
    this.#handler = handler;
    this.#limits = limits;
  }

  /** @throws ERR_RDF_SYNTAX with position, ERR_RDF_TOO_LARGE past a bound */
  push(text: string): void {
    this.#text = text;
    this.#at = 0;
    while (this.#at < text.length) {
      if (this.#token === 'string') this.#readString();
      else if (this.#token === 'word') this.#readWord();
      else this.#readNext();
    }
    this.#offset += text.length;
    this.#at = 0;
  }

  /** @throws ERR_RDF_SYNTAX when the text did not end */
  finish(): void {
    if (this.#next !== Next.nothing) throw this.#fail('the document ends before its end');
  }

  #fail(problem: string): Error {
    return rdfSyntaxError('JSON-LD', problem, this.#place());
  }

  #place(): SourcePosition {
    const offset = this.#offset + this.#at;
    return { offset, line: this.#line, column: offset - this.#lineOffset + 1 };
  }

  #readNext(): void {
    const unit = this.#text.charCodeAt(this.#at);
    const next = this.#next;
    if (unit <= SPACE) this.#skip(unit);
    else if (next === Next.colon) this.#take(unit, 58, Next.value);
    else if (next === Next.commaOrEnd) this.#readCommaOrEnd(unit);
    else if ((next === Next.nameOrEnd && unit === 125) || (next === Next.itemOrEnd && unit === 93)) this.#close();
    else if (next === Next.nameOrEnd || next === Next.name) this.#startName(unit);
    else if (next === Next.itemOrEnd || next === Next.value) this.#startValue(unit);
    else throw this.#fail(EXPECTED[next]);
  }

  #skip(unit: number): void {
    if (unit !== SPACE && unit !== NEWLINE && unit !== 13 && unit !== 9) throw this.#fail(EXPECTED[this.#next]);
    this.#at++;
    if (unit !== NEWLINE) return;
    this.#line++;
    this.#lineOffset = this.#offset + this.#at;
  }

  #take(unit: number, expected: number, next: Next): void {
    if (unit !== expected) throw this.#fail(EXPECTED[this.#next]);
    this.#at++;
    this.#next = next;
  }

  #readCommaOrEnd(unit: number): void {
    const isArray = this.#open[this.#open.length - 1].items !== undefined;
    if (unit === (isArray ? 93 : 125)) this.#close();
    else this.#take(unit, 44, isArray ? Next.value : Next.name);
  }

  #startName(unit: number): void {
    if (unit !== QUOTE) throw this.#fail(EXPECTED[this.#next]);
    this.#next = Next.name;
    this.#startString();
  }

  #startValue(unit: number): void {
    const depth = this.#open.length;
    const opens = unit === 123 || unit === 91;
    if (depth === 0 && !opens) throw this.#fail('expected an object or an array');
    if (depth <= 2 && depth > 0 && this.#open[depth - 1].isHandled) this.#itemStart = this.#place();
    this.#next = Next.value;
    if (unit === QUOTE) this.#startString();
    else if (opens) this.#openContainer(unit === 91);
    else this.#token = 'word';
  }

  #openContainer(isArray: boolean): void {
    const depth = this.#open.length;
    if (depth >= this.#limits.maxNesting) throw rdfTooLarge('the nesting of JSON-LD', this.#limits.maxNesting);
    const parent = this.#open[0];
    const isStreamed = isArray && depth === 1 && parent.items === undefined && this.#handler.startArray(parent.name);
    const isHandled = depth === 0 || isStreamed;
    const members = isArray || isHandled ? NO_MEMBERS : new Map<string, JsonValue>();
    this.#open.push({ items: isArray ? [] : undefined, members, isHandled, name: '' });
    this.#next = isArray ? Next.itemOrEnd : Next.nameOrEnd;
    this.#at++;
  }

  #close(): void {
    this.#at++;
    const closed = this.#open.pop();
    if (this.#open.length === 0) this.#next = Next.nothing;
    else if (closed?.isHandled) this.#next = Next.commaOrEnd;
    else if (closed !== undefined) this.#end(closed.items ?? closed.members);
  }

  /** A value is at its end. */
  #end(value: JsonValue): void {
    const parent = this.#open[this.#open.length - 1];
    this.#next = Next.commaOrEnd;
    if (parent.items === undefined) {
      if (parent.isHandled) this.#handler.member(parent.name, value);
      else parent.members.set(parent.name, value);
    } else if (parent.isHandled) this.#handler.item(value, this.#itemStart);
    else parent.items.push(value);
  }

  #startString(): void {
    this.#at++;
    this.#token = 'string';
    this.#hasEscapes = false;
    this.#isAfterBackslash = false;
  }

  #readString(): void {
    const start = this.#at;
    const end = this.#findQuote(start);
    this.#checkLength(end - start);
    this.#at = end;
    const part = this.#begun + this.#text.slice(start, end);
    if (end === this.#text.length) {
      this.#begun = part;
      return;
    }
    this.#begun = '';
    this.#token = undefined;
    this.#endString(this.#hasEscapes ? this.#unescape(part) : part);
    this.#at++;
  }

  /** The place of the quote that ends the string; the end of the piece where none is. */
  #findQuote(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < SPACE) {
        this.#at = at;
        throw this.#fail('expected an escape in place of a control character');
      }
      if (this.#isAfterBackslash) this.#isAfterBackslash = false;
      else if (unit === QUOTE) return at;
      else if (unit === BACKSLASH) {
        this.#isAfterBackslash = true;
        this.#hasEscapes = true;
      }
    }
    return text.length;
  }

  #unescape(part: string): string {
    try {
      return JSON.parse(`"${part}"`) as string;
    } catch {
      throw this.#fail('expected an escape that JSON has');
    }
  }

  #endString(value: string): void {
    if (this.#next === Next.name) {
      this.#open[this.#open.length - 1].name = this.#names(value);
      this.#next = Next.colon;
    } else this.#end(value);
  }

  #checkLength(units: number): void {
    const { maxTokenUnits } = this.#limits;
    if (this.#begun.length + units <= maxTokenUnits) return;
    throw rdfTooLarge('a string of JSON-LD in UTF-16 units', maxTokenUnits);
  }

  /** A number, or true, false or null. */
  #readWord(): void {
    const text = this.#text;
    let at = this.#at;
    while (at < text.length && isInWord(text.charCodeAt(at))) at++;
    this.#checkLength(at - this.#at);
    const word = this.#begun + text.slice(this.#at, at);
    if (at === text.length) {
      this.#at = at;
      this.#begun = word;
      return;
    }
    const value = NUMBER.test(word) ? Number(word) : WORDS.get(word);
    if (value === undefined) throw this.#fail(EXPECTED[this.#next]);
    this.#at = at;
    this.#begun = '';
    this.#token = undefined;
    this.#end(value);
  }
}

/** Letters, digits, and the signs of numbers. */
function isInWord(unit: number): boolean {
  const isDigit = unit >= 48 && unit <= 57;
  return isDigit || (unit >= 97 && unit <= 122) || unit === 69 || unit === 43 || unit === 45 || unit === 46;
}
