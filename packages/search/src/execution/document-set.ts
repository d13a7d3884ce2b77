import type { Explanation } from '../port/search-index.ts';
import { END } from '../postings/cursor.ts';
import type { Scorer } from './scorer.ts';

/** A set of documents of one segment, one bit each. */
export class DocumentSet {
  readonly words: Uint32Array;

  constructor(documentCount: number) {
    this.words = new Uint32Array((documentCount + 31) >>> 5);
  }

  add(document: number): void {
    this.words[document >>> 5] |= 1 << (document & 31);
  }

  has(document: number): boolean {
    return (this.words[document >>> 5] & (1 << (document & 31))) !== 0;
  }

  /** The first member at or after a document, or `END`. */
  seek(document: number): number {
    let word = document >>> 5;
    if (word >= this.words.length) return END;
    let bits = this.words[word] & (-1 << (document & 31));
    while (bits === 0) {
      if (++word >= this.words.length) return END;
      bits = this.words[word];
    }
    return (word << 5) + (31 - Math.clz32(bits & -bits));
  }
}

/** Walks a set; every member has the same score. */
export class DocumentSetCursor implements Scorer {
  document = -1;
  readonly #set: DocumentSet;
  readonly #constant: number;
  readonly #what: string;

  constructor(set: DocumentSet, constant: number, what: string) {
    this.#set = set;
    this.#constant = constant;
    this.#what = what;
  }

  next(): number {
    this.document = this.document === END ? END : this.#set.seek(this.document + 1);
    return this.document;
  }

  advance(target: number): number {
    this.document = target === END ? END : this.#set.seek(target);
    return this.document;
  }

  get matches(): boolean {
    return this.document !== END;
  }

  score(): number {
    return this.#constant;
  }

  explain(): Explanation {
    return { value: this.#constant, description: `${this.#what}: the same for each match`, details: [] };
  }
}
