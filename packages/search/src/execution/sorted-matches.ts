import type { Scorer } from '../postings/cursor.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import type { MatchOrder, SortedMatch } from './match-order.ts';
import type { MatchVisitor } from './match-visitor.ts';

/** Keeps the first matches in an order by sort keys. */
export class SortedMatches implements MatchVisitor {
  readonly #limit: number;
  readonly #order: MatchOrder;
  /** Up to twice the limit, in no order; what is behind the limit goes when it is full. */
  #kept: SortedMatch[] = [];
  /** The last that was within the limit when they were last put in order. */
  #last: SortedMatch | undefined;

  /** @param limit at least 1. */
  constructor(limit: number, order: MatchOrder) {
    this.#limit = limit;
    this.#order = order;
  }

  open(view: SegmentView): void {
    this.#order.open(view);
  }

  visit(scorer: Scorer): boolean {
    const match = this.#order.measure(scorer, this.#last);
    if (match !== undefined) this.offer(match);
    return true;
  }

  offer(match: SortedMatch): void {
    if (!this.#order.isBehindStart(match)) return;
    if (this.#last !== undefined && this.#order.compare(match, this.#last) > 0) return;
    this.#kept.push(match);
    if (this.#kept.length >= 2 * this.#limit) this.#cut();
  }

  /** The first matches, in order. */
  toSorted(): readonly SortedMatch[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#order.compare(a, b));
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#last = this.#kept[this.#limit - 1];
  }
}
