import { decode } from '../charset/text.ts';
import { ExtractionLimitError, malformed } from '../extraction-error.ts';
import type { TextBuilder } from '../text-builder.ts';
import { addProperty, type Properties } from '../xml/properties.ts';
import { FONT_CHARSETS, HEADER_CHARSETS, toCodePage } from './charsets.ts';
import { type RtfToken, tokenize } from './tokenizer.ts';
import { DATE_PARTS, INFO, PARAGRAPHS, READ_STARRED, SKIPPED, SYMBOLS } from './words.ts';

/** Where the text of a group goes: into the body, into a property of the document, or nowhere. */
type Destination = 'body' | 'skip' | 'fonts' | `info:${string}`;

interface Group {
  readonly destination: Destination;
  readonly charset: string | undefined;
  readonly hidden: boolean;
  /** How many characters after a `\u` repeat it for old readers. */
  readonly fallback: number;
}

/** Reads RTF 1.9: text by code pages and `\u`, paragraphs, and the properties in `\info`. */
export class RtfParser {
  readonly properties: Properties = { metadata: {} };
  readonly #out: TextBuilder;
  readonly #maxDepth: number;
  readonly #stack: Group[] = [];
  readonly #fonts = new Map<number, string>();
  #group: Group = { destination: 'body', charset: undefined, hidden: false, fallback: 1 };
  #documentCharset = 'cp1252';
  #defaultFont: number | undefined;
  #currentFont = 0;
  #starred = false;
  #skipCharacters = 0;
  #bytes = '';
  #info = '';

  constructor(out: TextBuilder, maxDepth: number) {
    this.#out = out;
    this.#maxDepth = maxDepth;
  }

  /** @throws `ERR_EXTRACTION` when the groups do not match or lie too deep. */
  parse(source: string): void {
    if (!source.startsWith('{\\rtf')) throw malformed('RTF must start with {\\rtf');
    for (const token of tokenize(source)) {
      this.#read(token);
      if (this.#stack.length === 0) break;
    }
    if (this.#stack.length > 0) throw malformed(`the RTF ends with ${this.#stack.length} groups still open`);
    this.#out.endParagraph();
  }

  #read(token: RtfToken): void {
    if (token.type === 'text') this.#readText(token.text);
    else if (token.type === 'word') this.#readWord(token.word, token.value);
    else if (token.type === 'symbol') this.#readSymbol(token.symbol);
    else if (token.type === 'open') this.#open();
    else this.#close();
  }

  #open(): void {
    this.#flush();
    if (this.#stack.length >= this.#maxDepth) {
      throw new ExtractionLimitError('groups inside each other', this.#maxDepth, 'deep');
    }
    this.#stack.push(this.#group);
    this.#skipCharacters = 0;
  }

  #close(): void {
    this.#flush();
    const outer = this.#stack.pop() as Group;
    const { destination } = this.#group;
    if (destination.startsWith('info:') && outer.destination !== destination) {
      this.#addProperty(destination.slice('info:'.length), this.#info.trim());
      this.#info = '';
    }
    this.#group = outer;
    this.#skipCharacters = 0;
  }

  #addProperty(name: string, value: string): void {
    const term = INFO.get(name);
    if (term !== undefined && value !== '') addProperty(this.properties, term, name, value);
  }

  #readText(text: string): void {
    const skipped = Math.min(this.#skipCharacters, text.length);
    this.#skipCharacters -= skipped;
    this.#bytes += text.slice(skipped);
    this.#starred = false;
  }

  #readSymbol(symbol: string): void {
    if (symbol === '*') this.#starred = true;
    else if (symbol === '\n' || symbol === '\r') this.#endParagraph();
    else this.#emit(SYMBOLS.get(symbol) ?? '');
  }

  #readWord(word: string, value: number | undefined): void {
    const starred = this.#starred;
    this.#starred = false;
    const symbol = SYMBOLS.get(word);
    if (word === 'u') this.#readUnicode(value ?? 0);
    else if (symbol !== undefined) this.#emit(symbol);
    else if (PARAGRAPHS.has(word)) this.#endParagraph();
    else {
      this.#flush();
      if (!this.#readDestination(word, starred)) this.#readProperty(word, value);
    }
  }

  #readUnicode(value: number): void {
    this.#flush();
    this.#write(String.fromCharCode(value & 0xffff));
    this.#skipCharacters = this.#group.fallback;
  }

  #readDestination(word: string, starred: boolean): boolean {
    const inInfo = this.#group.destination === 'info:';
    if (inInfo && INFO.has(word)) this.#change({ destination: `info:${word}` });
    else if (word === 'info') this.#change({ destination: 'info:' });
    else if (word === 'fonttbl') this.#change({ destination: 'fonts' });
    else if (READ_STARRED.has(word)) this.#change({ destination: 'body' });
    else if (starred || SKIPPED.has(word)) this.#change({ destination: 'skip' });
    else return false;
    return true;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a branch for each control word
  #readProperty(word: string, value: number | undefined): void {
    const charset = this.#stack.length === 1 ? HEADER_CHARSETS.get(word) : undefined;
    if (charset !== undefined) this.#documentCharset = charset;
    else if (word === 'ansicpg' && value !== undefined) this.#documentCharset = toCodePage(value);
    else if (word === 'deff') this.#defaultFont = value;
    else if (word === 'f') this.#selectFont(value ?? 0);
    else if (word === 'plain') this.#change({ charset: this.#fonts.get(this.#defaultFont ?? -1), hidden: false });
    else if (word === 'fcharset') this.#defineFont(value ?? 0);
    else if (word === 'uc') this.#change({ fallback: Math.max(0, value ?? 1) });
    else if (word === 'v' || word === 'deleted') this.#change({ hidden: value !== 0 });
    else if (this.#group.destination.startsWith('info:')) this.#readDatePart(word, value);
  }

  #selectFont(number: number): void {
    this.#currentFont = number;
    if (this.#group.destination !== 'fonts') this.#change({ charset: this.#fonts.get(number) });
  }

  #defineFont(charset: number): void {
    const name = FONT_CHARSETS[charset];
    if (this.#group.destination === 'fonts' && name !== undefined) this.#fonts.set(this.#currentFont, name);
  }

  /** `\yr2024\mo1\dy31\hr12\min0`, in the order in which they stand. */
  #readDatePart(word: string, value: number | undefined): void {
    const separator = DATE_PARTS.get(word);
    if (separator === undefined || value === undefined) return;
    this.#info += separator + String(value).padStart(word === 'yr' ? 4 : 2, '0');
  }

  #endParagraph(): void {
    this.#flush();
    this.#skipCharacters = 0;
    if (this.#group.destination === 'body') this.#out.endParagraph();
  }

  /** A symbol counts as one of the characters that repeat a `\u`. */
  #emit(text: string): void {
    if (this.#skipCharacters > 0) {
      this.#skipCharacters--;
      return;
    }
    this.#flush();
    this.#write(text);
  }

  #flush(): void {
    if (this.#bytes === '') return;
    const bytes = Buffer.from(this.#bytes, 'latin1');
    this.#bytes = '';
    this.#write(decode(bytes, this.#group.charset ?? this.#documentCharset));
  }

  #write(text: string): void {
    const { destination, hidden } = this.#group;
    if (destination === 'body' && !hidden) this.#out.append(text);
    else if (destination.startsWith('info:')) this.#info += text;
  }

  #change(change: Partial<Group>): void {
    this.#group = { ...this.#group, ...change };
  }
}
