import type { Explanation } from '../port/search-index.ts';
import { type Cursor, END } from '../postings/cursor.ts';
import type { Scorer } from './scorer.ts';

/** Documents of every required child and of no excluded one; optional children only add to the score. */
export class BooleanScorer implements Scorer {
  document = -1;
  readonly required: readonly Scorer[];
  readonly optional: readonly Scorer[];
  readonly excluded: readonly Cursor[];

  /** `required` is not empty. */
  constructor(required: readonly Scorer[], optional: readonly Scorer[], excluded: readonly Cursor[]) {
    this.required = required;
    this.optional = optional;
    this.excluded = excluded;
  }

  next(): number {
    return this.document === END ? END : this.advance(this.document + 1);
  }

  advance(target: number): number {
    let candidate = target;
    while (true) {
      candidate = this.agree(candidate);
      if (candidate === END || !this.isExcluded(candidate)) break;
      candidate++;
    }
    this.document = candidate;
    return candidate;
  }

  score(): number {
    let sum = 0;
    for (const child of this.required) sum += child.score();
    for (const child of this.optional) if (reach(child, this.document)) sum += child.score();
    return sum;
  }

  explain(): Explanation {
    const matching = [...this.required, ...this.optional.filter((child) => reach(child, this.document))];
    const details = matching.map((child) => child.explain());
    return { value: this.score(), description: 'sum', details };
  }

  /** The first document at or after `target` on which every required child stands. */
  private agree(target: number): number {
    let candidate = target;
    for (let i = 0; i < this.required.length; i++) {
      const child = this.required[i];
      const document = child.document < candidate ? child.advance(candidate) : child.document;
      if (document === END) return END;
      if (document === candidate) continue;
      candidate = document;
      i = -1;
    }
    return candidate;
  }

  private isExcluded(document: number): boolean {
    return this.excluded.some((child) => reach(child, document));
  }
}

function reach(child: Cursor, document: number): boolean {
  return (child.document < document ? child.advance(document) : child.document) === document;
}
