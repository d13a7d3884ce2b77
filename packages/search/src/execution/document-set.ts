import type { WorkBudget } from '../plan/work-budget.ts';
import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';
import type { DocumentList } from '../postings/document-list.ts';

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
    return this.advance(this.document + 1);
  }

  advance(target: number): number {
    this.document = this.#set.seek(target);
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

/** Documents of the first window. */
const FIRST_WINDOW = 1024;
/** Bytes of postings and terms that a window may cost before the next one is smaller. */
const WINDOW_UNITS = 65_536;

/**
 * Walks the documents of any of many terms; every one has the same score. Documents are gathered window by window, so
 * that who wants only the first does not pay for all; each is twice as large as the last, or half where that was much
 * at once. Cost: O(terms) for each window, O(postings) in all.
 */
export class TermsCursor extends DocumentSetCursor {
  readonly #lists: readonly DocumentList[];
  readonly #set: DocumentSet;
  readonly #documentCount: number;
  readonly #budget: WorkBudget;
  #gathered = 0;
  #window = FIRST_WINDOW;

  constructor(lists: readonly DocumentList[], documentCount: number, constant: number, budget: WorkBudget) {
    const set = new DocumentSet(documentCount);
    super(set, constant, 'a pattern');
    this.#lists = lists;
    this.#set = set;
    this.#documentCount = documentCount;
    this.#budget = budget;
  }

  override advance(target: number): number {
    this.document = target;
    while (this.document < this.#documentCount) {
      if (this.document >= this.#gathered) this.#gather(this.document);
      const found = this.#set.seek(this.document);
      if (found !== END && found < this.#gathered) {
        this.document = found;
        return found;
      }
      this.document = this.#gathered;
    }
    this.document = END;
    return END;
  }

  /** Adds the documents of the next window that has `document` in it. */
  #gather(document: number): void {
    const end = Math.min(document + this.#window, this.#documentCount);
    let units = 0;
    for (const list of this.#lists) {
      units += list.gather(document, end, this.#set);
      this.#budget.tick();
    }
    this.#gathered = end;
    this.#window = units < WINDOW_UNITS ? this.#window * 2 : Math.max(this.#window / 2, 64);
  }
}
