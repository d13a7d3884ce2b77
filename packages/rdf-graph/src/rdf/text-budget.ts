import { rdfTooLarge } from './syntax-error.ts';

/** A short document may be this long when it is written out, in UTF-16 units. */
const FREE_UNITS = 2 ** 20;

/** One IRI, written out. */
const MAX_IRI_UNITS = 2 ** 16;

/** How many times as long as its text the terms of a document may be that are made anew. */
const MADE_RATIO = 32;

/** The same for every term that is named, made anew or not. */
const NAMED_RATIO = 512;

/**
 * Limit of a document's size once prefixes, bases and entities are expanded: a long one written once and named a
 * million times would be a million times as long in memory.
 */
export class TextBudget {
  #read = 0;
  #made = 0;
  #named = 0;

  /** Counts text of the document. */
  read(units: number): void {
    this.#read += units;
  }

  /** Counts a text that is kept in memory for a term. @throws ERR_RDF_TOO_LARGE */
  make(units: number): void {
    this.#made += units;
    if (this.#made > FREE_UNITS + MADE_RATIO * this.#read) throw tooLong(MADE_RATIO);
  }

  /** Counts an IRI that is put together to be compared. @throws ERR_RDF_TOO_LARGE */
  name(units: number): void {
    if (units > MAX_IRI_UNITS) throw rdfTooLarge('an IRI in UTF-16 units', MAX_IRI_UNITS);
    this.#named += units;
    if (this.#named > FREE_UNITS + NAMED_RATIO * this.#read) throw tooLong(NAMED_RATIO);
  }
}

function tooLong(ratio: number): Error {
  return rdfTooLarge('the terms of a document, written out, in times its length', ratio);
}
