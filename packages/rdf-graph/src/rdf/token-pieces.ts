import { rdfTooLarge } from './syntax-error.ts';

/** Cuts a text between its tokens: see {@link createTokenPieces}. */
export interface TokenPieces {
  /** The text up to the last place between two tokens; the rest is kept for the next call. @throws ERR_RDF_TOO_LARGE */
  push(text: string): string;
  /** What is left. */
  finish(): string;
}

const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const LESS = 60;
const GREATER = 62;
const BACKSLASH = 92;
const NEWLINE = 10;
const SPACE = 32;

/** What may stand between tokens without white space, and in names only behind a backslash. */
const PUNCTUATION: ReadonlySet<number> = new Set(Array.from(',;()[]{}', (character) => character.charCodeAt(0)));

/** Longer runs between strings and IRIs are cut anywhere. */
const MAX_RUN_UNITS = 2 ** 14;

/** Where the scanner stands. */
const Place = { between: 0, iri: 1, opening: 2, short: 3, long: 4, comment: 5 } as const;
type Place = (typeof Place)[keyof typeof Place];

/**
 * Cuts Turtle or TriG outside of IRIs, strings and comments, so that a tokenizer never meets half of
 * a long token, waits for the rest and then has much to read at once. A text that is no Turtle is cut anywhere.
 *
 * @param maxTokenUnits What one token may have in UTF-16 units.
 */
export function createTokenPieces(maxTokenUnits: number): TokenPieces {
  const scanner = new TokenScanner();
  let kept: string[] = [];
  let keptUnits = 0;
  return {
    push(text) {
      const cut = scanner.scan(text) || (scanner.isBetween && keptUnits > MAX_RUN_UNITS ? text.length : 0);
      const ready = cut === 0 ? '' : `${kept.join('')}${text.slice(0, cut)}`;
      if (cut > 0) {
        kept = [];
        keptUnits = 0;
      }
      kept.push(text.slice(cut));
      keptUnits += text.length - cut;
      if (keptUnits > maxTokenUnits) throw rdfTooLarge('a token in UTF-16 units', maxTokenUnits);
      return ready;
    },
    finish() {
      const rest = kept.join('');
      kept = [];
      return rest;
    },
  };
}

class TokenScanner {
  #place: Place = Place.between;
  /** The quote of the string that it is in. */
  #quote = 0;
  /** Quotes in a row: those that open a string, or that may end a long one. */
  #quotes = 0;
  #escaped = false;

  /** Whether it is in no IRI, string or comment. */
  get isBetween(): boolean {
    return this.#place === Place.between;
  }

  /** Reads on. Gives where the text can be cut last; 0 for nowhere. */
  scan(text: string): number {
    let cut = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.#escaped) {
        this.#escaped = false;
      } else if (unit === BACKSLASH && this.#place !== Place.comment) {
        this.#escape();
      } else {
        const before = this.#place;
        this.#enter(unit);
        if (this.#place === Place.between && (before !== Place.between || isBoundary(unit))) cut = at + 1;
      }
    }
    return cut;
  }

  #escape(): void {
    this.#escaped = true;
    this.#quotes = 0;
    if (this.#place === Place.opening) this.#place = Place.short;
  }

  #enter(unit: number): void {
    switch (this.#place) {
      case Place.between:
        this.#begin(unit);
        break;
      case Place.iri:
        // A second `<` is a triple term, and an IRI has no white space.
        if (unit === GREATER || unit <= SPACE || unit === LESS) this.#place = Place.between;
        break;
      case Place.opening:
        this.#open(unit);
        break;
      case Place.short:
        if (unit === this.#quote || unit === NEWLINE) this.#place = Place.between;
        break;
      case Place.long:
        this.#quotes = unit === this.#quote ? this.#quotes + 1 : 0;
        if (this.#quotes === 3) this.#place = Place.between;
        break;
      default:
        if (unit === NEWLINE) this.#place = Place.between;
    }
  }

  #begin(unit: number): void {
    if (unit === QUOTE || unit === APOSTROPHE) {
      this.#place = Place.opening;
      this.#quote = unit;
      this.#quotes = 1;
    } else if (unit === LESS) this.#place = Place.iri;
    else if (unit === HASH) this.#place = Place.comment;
  }

  /** After one quote or two of them. */
  #open(unit: number): void {
    if (unit === this.#quote) {
      this.#quotes++;
      if (this.#quotes < 3) return;
      this.#place = Place.long;
      this.#quotes = 0;
      return;
    }
    const isEmpty = this.#quotes === 2;
    this.#place = isEmpty ? Place.between : Place.short;
    this.#enter(unit);
  }
}

function isBoundary(unit: number): boolean {
  return unit <= SPACE || PUNCTUATION.has(unit);
}
