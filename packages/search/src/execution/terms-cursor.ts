import type { WorkBudget } from '../plan/work-budget.ts';
import type { Explanation } from '../port/search-index.ts';
import { END } from '../postings/cursor.ts';
import type { TermCursor } from '../postings/term-cursor.ts';
import { DocumentSet } from './document-set.ts';
import type { Scorer } from './scorer.ts';

/** Documents of the first window. */
const FIRST_WINDOW = 1024;
/** Postings and terms that a window may cost before the next one is smaller. */
const WINDOW_UNITS = 65_536;

/**
 * Walks the documents of any of many terms; every one has the same score. Documents are gathered window by window, so
 * that who wants only the first does not pay for all; each is twice as large as the last, or half where that was much
 * at once. Cost: O(terms) for each window, O(postings) in all.
 */
export class TermsCursor implements Scorer {
  document = -1;
  readonly #cursors: readonly TermCursor[];
  readonly #set: DocumentSet;
  readonly #documentCount: number;
  readonly #constant: number;
  readonly #budget: WorkBudget;
  #gathered = 0;
  #window = FIRST_WINDOW;

  constructor(cursors: readonly TermCursor[], documentCount: number, constant: number, budget: WorkBudget) {
    this.#cursors = cursors;
    this.#set = new DocumentSet(documentCount);
    this.#documentCount = documentCount;
    this.#constant = constant;
    this.#budget = budget;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
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

  get matches(): boolean {
    return this.document !== END;
  }

  score(): number {
    return this.#constant;
  }

  explain(): Explanation {
    return { value: this.#constant, description: 'a pattern: the same for each match', details: [] };
  }

  /** Adds the documents of the next window that has `document` in it. */
  #gather(document: number): void {
    const end = Math.min(document + this.#window, this.#documentCount);
    let units = this.#cursors.length;
    for (const cursor of this.#cursors) {
      let at = cursor.document;
      if (at < document) at = cursor.advance(document);
      for (; at < end; at = cursor.next()) {
        this.#set.add(at);
        units++;
      }
      this.#budget.tick();
    }
    this.#gathered = end;
    this.#window = units < WINDOW_UNITS ? this.#window * 2 : Math.max(this.#window / 2, 64);
  }
}
