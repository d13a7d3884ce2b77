import type { JsonObject } from '@cairn/security';
import type { Scorer } from '../postings/cursor.ts';
import type { SortKey } from '../results/sort-order.ts';
import { compareSortValues, SortColumn, type SortValue } from '../results/sort-values.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import type { MatchVisitor } from './match-visitor.ts';
import { findFirstBehind, type Match } from './top-documents.ts';

/** A match and its values of the sort keys, as far as they were needed. */
export interface SortedMatch extends Match {
  readonly values: readonly SortValue[];
}

/** The place of a match in an order by sort keys: equal values are ordered by id, equal ids by the rank of their index. */
export interface SortedPlace {
  readonly values: readonly SortValue[];
  readonly id: string;
  readonly rank: number;
}

export interface SortedOrder {
  readonly keys: readonly SortKey[];
  readonly missing: 'first' | 'last';
  /** Keeps those alone that come behind this place. */
  readonly after?: SortedPlace | undefined;
}

/** Keeps the first matches in an order by sort keys. */
export class SortedMatches implements MatchVisitor {
  readonly #limit: number;
  readonly #order: SortedOrder;
  /** Present a document as its viewer sees it, for values that are in no column. */
  readonly #present: (match: Match) => JsonObject | undefined;
  /** Up to twice the limit, in no order; what is behind the limit goes when it is full. */
  #kept: SortedMatch[] = [];
  /** The last that was within the limit when they were last put in order. */
  #last: SortedMatch | undefined;
  #view: SegmentView | undefined;
  #columns: readonly (SortColumn | undefined)[] = [];
  #firstAfter = 0;

  /** @param limit at least 1. */
  constructor(limit: number, order: SortedOrder, present: (match: Match) => JsonObject | undefined) {
    this.#limit = limit;
    this.#order = order;
    this.#present = present;
  }

  open(view: SegmentView): void {
    this.#view = view;
    this.#columns = this.#order.keys.map(({ field, isAscending }) => {
      return field === 'score' ? undefined : new SortColumn(view, field, isAscending);
    });
    if (this.#order.after !== undefined) this.#firstAfter = findFirstBehind(view, this.#order.after);
  }

  visit(scorer: Scorer): boolean {
    const match: Match = { view: this.#view as SegmentView, document: scorer.document, score: scorer.score() };
    this.#offer(match);
    return true;
  }

  #offer({ view, document, score }: Match): void {
    const values: SortValue[] = [];
    const match: SortedMatch = { view, document, score, values };
    values.push(this.#valueOf(0, match));
    // Of many matches most are behind by their first value.
    if (this.#last !== undefined && this.#compareAt(0, values, this.#last.values) > 0) return;
    for (let i = 1; i < this.#order.keys.length; i++) values.push(this.#valueOf(i, match));
    if (!this.#isBehindStart(values, document)) return;
    if (this.#last !== undefined && this.#compare(match, this.#last) > 0) return;
    this.#kept.push(match);
    if (this.#kept.length >= 2 * this.#limit) this.#cut();
  }

  #isBehindStart(values: readonly SortValue[], document: number): boolean {
    const { after } = this.#order;
    if (after === undefined) return true;
    const order = this.#compareValues(values, after.values);
    return order > 0 || (order === 0 && document >= this.#firstAfter);
  }

  /** The first matches, in order. */
  toSorted(): readonly SortedMatch[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#compare(a, b));
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#last = this.#kept[this.#limit - 1];
  }

  #valueOf(key: number, match: Match): SortValue {
    const column = this.#columns[key];
    return column === undefined ? match.score : column.valueOf(match.document, () => this.#present(match));
  }

  #compare(a: SortedMatch, b: SortedMatch): number {
    return this.#compareValues(a.values, b.values) || compareTies(a, b);
  }

  #compareValues(a: readonly SortValue[], b: readonly SortValue[]): number {
    for (let i = 0; i < this.#order.keys.length; i++) {
      const order = this.#compareAt(i, a, b);
      if (order !== 0) return order;
    }
    return 0;
  }

  #compareAt(i: number, a: readonly SortValue[], b: readonly SortValue[]): number {
    const [x, y] = [a[i], b[i]];
    if (x === null || y === null) {
      if (x === y) return 0;
      return (x === null) === (this.#order.missing === 'last') ? 1 : -1;
    }
    return this.#order.keys[i].isAscending ? compareSortValues(x, y) : compareSortValues(y, x);
  }
}

function compareTies(a: Match, b: Match): number {
  if (a.view === b.view) return a.document - b.document;
  const [x, y] = [a.view.segment.ids.term(a.document), b.view.segment.ids.term(b.document)];
  return compareByCodePoint(x, y) || a.view.rank - b.view.rank;
}
