import type { DocumentOptions } from './document-parser.ts';
import { rdfSyntaxError, rdfTooLarge } from './syntax-error.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;

/** Checks that a text is one object or array to its end, and how deep it nests; what is inside is not looked at. */
export class JsonGuard {
  readonly #maxNesting: number;
  readonly #maxTokenUnits: number;
  #depth = 0;
  #isEnded = false;
  #inString = false;
  #escaped = false;
  #stringUnits = 0;

  constructor({ maxNesting, maxTokenUnits }: DocumentOptions) {
    this.#maxNesting = maxNesting;
    this.#maxTokenUnits = maxTokenUnits;
  }

  /** @throws ERR_RDF_TOO_LARGE past a bound, ERR_RDF_SYNTAX for a text that is no object or array */
  inspect(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.#inString) this.#enterString(unit);
      else this.#enter(unit);
    }
  }

  /** @throws ERR_RDF_SYNTAX when the text did not end */
  finish(): void {
    if (!this.#isEnded) throw rdfSyntaxError('JSON-LD', 'the document ends before its end');
  }

  #enter(unit: number): void {
    if (unit <= SPACE) return;
    const opens = unit === 123 || unit === 91;
    if (this.#isEnded) throw rdfSyntaxError('JSON-LD', 'the document goes on after its end');
    if (this.#depth === 0 && !opens) throw rdfSyntaxError('JSON-LD', 'expected an object or an array');
    if (opens) this.#depth++;
    else if (unit === 125 || unit === 93) this.#isEnded = --this.#depth === 0;
    else if (unit === QUOTE) this.#inString = true;
    if (this.#depth > this.#maxNesting) throw rdfTooLarge('the nesting of JSON-LD', this.#maxNesting);
  }

  #enterString(unit: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (unit === BACKSLASH) this.#escaped = true;
    else if (unit === QUOTE) {
      this.#inString = false;
      this.#stringUnits = 0;
    }
    if (++this.#stringUnits <= this.#maxTokenUnits) return;
    throw rdfTooLarge('a string of JSON-LD in UTF-16 units', this.#maxTokenUnits);
  }
}
