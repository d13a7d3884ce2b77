import type { Explanation } from '../port/search-index.ts';
import { END, type Scorer } from '../postings/cursor.ts';

/** How often the required children move on to another document before a step is over. */
const MOVES_PER_STEP = 64;

/** Documents of every required child and of no excluded one; optional children only add to the score. */
export class BooleanScorer implements Scorer {
  document = -1;
  matches = false;
  readonly required: readonly Scorer[];
  readonly optional: readonly Scorer[];
  readonly excluded: readonly Scorer[];

  /** `required` is not empty. */
  constructor(required: readonly Scorer[], optional: readonly Scorer[], excluded: readonly Scorer[]) {
    this.required = required;
    this.optional = optional;
    this.excluded = excluded;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    const isCommon = this.#agree(target);
    const { document } = this;
    const isMatch = isCommon && this.required.every(({ matches }) => matches);
    this.matches = isMatch && !this.excluded.some((child) => reaches(child, document));
    return document;
  }

  score(): number {
    let sum = 0;
    for (const child of this.required) sum += child.score();
    for (const child of this.optional) if (reaches(child, this.document)) sum += child.score();
    return sum;
  }

  explain(): Explanation {
    const matching = [...this.required, ...this.optional.filter((child) => reaches(child, this.document))];
    const details = matching.map((child) => child.explain());
    return { value: this.score(), description: 'sum', details };
  }

  /**
   * Moves towards the first document at or after `target` on which every required child is; false while they do not, or
   * when there is none. A step that ends before they agree ends before the document that comes into question, so that
   * the next one begins with it.
   */
  #agree(target: number): boolean {
    let candidate = target;
    let moves = 0;
    for (let i = 0; i < this.required.length; i++) {
      const child = this.required[i];
      const document = child.document < candidate ? child.advance(candidate) : child.document;
      if (document === candidate) continue;
      candidate = document;
      if (candidate === END) break;
      if (++moves === MOVES_PER_STEP) {
        this.document = candidate - 1;
        return false;
      }
      i = -1;
    }
    this.document = candidate;
    return candidate !== END;
  }
}

function reaches(child: Scorer, document: number): boolean {
  return (child.document < document ? child.advance(document) : child.document) === document && child.matches;
}

/** Documents of any child; the score is the sum of the children that match, in their order. */
export class OrScorer implements Scorer {
  document = -1;
  matches = false;
  readonly children: readonly Scorer[];

  constructor(children: readonly Scorer[]) {
    this.children = children;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    let least = END;
    let matches = false;
    for (const child of this.children) {
      const document = child.document < target ? child.advance(target) : child.document;
      if (document > least) continue;
      matches = child.matches || (matches && document === least);
      least = document;
    }
    this.document = least;
    this.matches = matches && least !== END;
    return least;
  }

  score(): number {
    let sum = 0;
    for (const child of this.children) if (this.#isMatchOf(child)) sum += child.score();
    return sum;
  }

  explain(): Explanation {
    const details = this.children.filter((child) => this.#isMatchOf(child)).map((child) => child.explain());
    return details.length === 1 ? details[0] : { value: this.score(), description: 'sum', details };
  }

  #isMatchOf(child: Scorer): boolean {
    return child.document === this.document && child.matches;
  }
}
