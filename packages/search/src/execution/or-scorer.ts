import type { Explanation } from '../port/search-index.ts';
import { END } from '../postings/cursor.ts';
import type { Scorer } from './scorer.ts';

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
