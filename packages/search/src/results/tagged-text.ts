import { exhausted } from '../plan/work-budget.ts';
import type { HighlightOptions } from '../port/search-index.ts';
import { escapeHtml } from './escape.ts';

/** The most that tags may add to the results of one index in an answer, in UTF-16 units. */
const MAX_TAG_UNITS = 2 ** 25;

/** Puts tags around parts of texts, and counts how much they add. */
export class Tagger {
  readonly #preTag: string;
  readonly #postTag: string;
  #units = 0;

  constructor({ preTag = '<em>', postTag = '</em>' }: HighlightOptions) {
    this.#preTag = preTag;
    this.#postTag = postTag;
  }

  /** A text between the tags, escaped. @throws `ERR_SEARCH_BUDGET` (exhausted) when all tags together are too long. */
  tag(text: string): string {
    this.#units += this.#preTag.length + this.#postTag.length;
    if (this.#units > MAX_TAG_UNITS) throw exhausted('characters in tags of highlighted terms', MAX_TAG_UNITS);
    return this.#preTag + escapeHtml(text) + this.#postTag;
  }
}

/** A part of a text, escaped, with tags around some of it: `add` what is tagged in order, then `finish`. */
export class TaggedText {
  readonly #text: string;
  readonly #end: number;
  readonly #tagger: Tagger;
  #result = '';
  /** Up to where the text is written, and what comes behind that between tags. */
  #at: number;
  #tagStart: number;
  #tagEnd: number;

  constructor(text: string, start: number, end: number, tagger: Tagger) {
    this.#text = text;
    this.#at = start;
    this.#tagStart = start;
    this.#tagEnd = start;
    this.#end = end;
    this.#tagger = tagger;
  }

  /** Takes what overlaps, as compounds and their parts and as bigrams do, for one; leaves out what is not within. */
  add({ start, end }: { readonly start: number; readonly end: number }): void {
    if (start < this.#at || end > this.#end) return;
    if (start < this.#tagEnd) {
      this.#tagEnd = Math.max(this.#tagEnd, end);
      return;
    }
    this.#write();
    this.#tagStart = start;
    this.#tagEnd = end;
  }

  finish(): string {
    this.#write();
    return this.#result + escapeHtml(this.#text.slice(this.#at, this.#end));
  }

  #write(): void {
    if (this.#tagEnd === this.#tagStart) return;
    this.#result += escapeHtml(this.#text.slice(this.#at, this.#tagStart));
    this.#result += this.#tagger.tag(this.#text.slice(this.#tagStart, this.#tagEnd));
    this.#at = this.#tagEnd;
  }
}
