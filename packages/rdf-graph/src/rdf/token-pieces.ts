import { createPieces, type Pieces } from './line-pieces.ts';

const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const LESS = 60;
const BACKSLASH = 92;
const NEWLINE = 10;
const SPACE = 32;

/** Kinds of units between tokens: part of one, a place to cut, and the begin of something else. */
const Kind = { part: 0, boundary: 1, begin: 2 } as const;

/** By unit below 128. Punctuation is between tokens without white space, and in names only behind a backslash. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit <= SPACE || ',;()[]{}'.includes(String.fromCharCode(unit))) return Kind.boundary;
  return unit === QUOTE || unit === APOSTROPHE || unit === LESS || unit === HASH || unit === BACKSLASH
    ? Kind.begin
    : Kind.part;
});

/** Longer runs between strings and IRIs are cut anywhere. */
const MAX_RUN_UNITS = 2 ** 14;

/** Where the scanner stands. */
const Place = { between: 0, iri: 1, opening: 2, short: 3, long: 4, comment: 5 } as const;
type Place = (typeof Place)[keyof typeof Place];

/**
 * Cuts Turtle or TriG outside of IRIs, strings and comments, so that a tokenizer never meets half of a long token,
 * waits for the rest and then has much to read at once. A text that is no Turtle is cut anywhere.
 */
export function createTokenPieces(maxTokenUnits: number): Pieces {
  const scanner = new TokenScanner();
  const findCut = (text: string, keptUnits: number): number =>
    scanner.scan(text) || (scanner.isBetween && keptUnits > MAX_RUN_UNITS ? text.length : 0);
  return createPieces(findCut, maxTokenUnits, 'a token');
}

class TokenScanner {
  #place: Place = Place.between;
  #quote = 0;
  /** Quotes in a row: those that open a string, or that may end a long one. */
  #quotes = 0;
  #escaped = false;
  /** Where the text that is read can be cut last. */
  #cut = 0;

  /** Returns true if it is in no IRI, string or comment. */
  get isBetween(): boolean {
    return this.#place === Place.between;
  }

  /** Reads on. Gives where the text can be cut last; 0 for nowhere. */
  scan(text: string): number {
    this.#cut = 0;
    for (let at = 0; at < text.length; ) {
      if (this.#escaped) {
        this.#escaped = false;
        at++;
      } else at = this.#scanPlace(text, at);
    }
    return this.#cut;
  }

  /** Reads from `start` until the place changes or a backslash comes; gives where to go on. */
  #scanPlace(text: string, start: number): number {
    switch (this.#place) {
      case Place.between:
        return this.#scanBetween(text, start);
      case Place.iri:
        return this.#scanIri(text, start);
      case Place.opening:
        return this.#scanOpening(text, start);
      case Place.short:
        return this.#scanShort(text, start);
      case Place.long:
        return this.#scanLong(text, start);
      default: {
        const newline = text.indexOf('\n', start);
        return newline < 0 ? text.length : this.#leave(newline);
      }
    }
  }

  #scanBetween(text: string, start: number): number {
    let boundary = -1;
    let kind: number = Kind.part;
    let at = start;
    for (; at < text.length && kind !== Kind.begin; at++) {
      const unit = text.charCodeAt(at);
      kind = unit < KINDS.length ? KINDS[unit] : Kind.part;
      if (kind === Kind.boundary) boundary = at;
    }
    if (boundary >= 0) this.#cut = boundary + 1;
    if (kind === Kind.begin) this.#begin(text.charCodeAt(at - 1));
    return at;
  }

  /**
   * To the next `>`: an IRI with anything in it that no IRI has is refused wherever it is cut. Where none comes, what no IRI
   * has ends it. A second `<` is a triple term.
   */
  #scanIri(text: string, start: number): number {
    if (text.charCodeAt(start) === LESS) return this.#leave(start);
    const end = text.indexOf('>', start);
    if (end >= 0) return this.#leave(end);
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit <= SPACE || unit === LESS) return this.#leave(at);
    }
    return text.length;
  }

  #scanShort(text: string, start: number): number {
    const quote = this.#quote;
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === quote || unit === NEWLINE) return this.#leave(at);
      if (unit === BACKSLASH) return this.#escape(at);
    }
    return text.length;
  }

  #scanLong(text: string, start: number): number {
    for (let at = start; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === BACKSLASH) return this.#escape(at);
      this.#quotes = unit === this.#quote ? this.#quotes + 1 : 0;
      if (this.#quotes === 3) return this.#leave(at);
    }
    return text.length;
  }

  /** After one quote or two of them. */
  #scanOpening(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) return this.#escape(at);
    if (unit === this.#quote) {
      this.#quotes++;
      if (this.#quotes < 3) return at + 1;
      this.#place = Place.long;
      this.#quotes = 0;
      return at + 1;
    }
    if (this.#quotes === 1) {
      this.#place = Place.short;
      return at;
    }
    // An empty string ended before this unit, which the tokenizer must see to know that.
    const isBegin = unit < KINDS.length && KINDS[unit] === Kind.begin;
    this.#leave(at, isBegin ? this.#cut : at + 1);
    if (isBegin) this.#begin(unit);
    return at + 1;
  }

  /** The unit here is the last one of the place, and tokens follow. */
  #leave(at: number, cut: number = at + 1): number {
    this.#place = Place.between;
    this.#cut = cut;
    return at + 1;
  }

  /** The unit here is a backslash. */
  #escape(at: number): number {
    this.#escaped = true;
    this.#quotes = 0;
    if (this.#place === Place.opening) this.#place = Place.short;
    return at + 1;
  }

  #begin(unit: number): void {
    if (unit === QUOTE || unit === APOSTROPHE) {
      this.#place = Place.opening;
      this.#quote = unit;
      this.#quotes = 1;
    } else if (unit === LESS) this.#place = Place.iri;
    else if (unit === HASH) this.#place = Place.comment;
    else this.#escaped = true;
  }
}
