import type { JsonObject } from '@cairn/security';
import { recall } from '../memory/recall.ts';
import type { Scorer } from '../postings/cursor.ts';
import type { SortKey } from '../results/sort-order.ts';
import { compareSortValues, SortColumn, type SortValue } from '../results/sort-values.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { findFirstBehind, type Match } from './top-documents.ts';

/** A match and its values of the sort keys. */
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

/** Compares matches by sort keys. */
export class MatchOrder {
  readonly #order: SortedOrder;
  /** Presents a document as its viewer sees it, for values that are in no column. */
  readonly #present: (match: Match) => JsonObject | undefined;
  #view: SegmentView | undefined;
  #columns: readonly (SortColumn | undefined)[] = [];
  /** For each segment the first document behind the place that the order goes on behind, among those of its values. */
  readonly #firstsAfter = new Map<SegmentView, number>();

  constructor(order: SortedOrder, present: (match: Match) => JsonObject | undefined) {
    this.#order = order;
    this.#present = present;
  }

  /** Begins with a segment; its matches are then measured in ascending order. */
  open(view: SegmentView): void {
    this.#view = view;
    this.#columns = this.#order.keys.map(({ field, isAscending }) => {
      return field === 'score' ? undefined : new SortColumn(view, field, isAscending);
    });
  }

  /**
   * The match that a scorer stands at, with its values; `undefined` when its first value alone puts it behind `last`.
   * Of many matches most are: their other values need not be read.
   */
  measure(scorer: Scorer, last?: SortedMatch): SortedMatch | undefined {
    const view = this.#view as SegmentView;
    const values: SortValue[] = [];
    const match: SortedMatch = { view, document: scorer.document, score: scorer.score(), values };
    values.push(this.#valueOf(0, match));
    if (last !== undefined && this.#compareAt(0, values, last.values) > 0) return undefined;
    for (let i = 1; i < this.#order.keys.length; i++) values.push(this.#valueOf(i, match));
    return match;
  }

  /** Below 0 when the first of two matches comes first. */
  compare(a: SortedMatch, b: SortedMatch): number {
    return this.#compareValues(a.values, b.values) || compareTies(a, b);
  }

  /** True for a match behind the place that the order goes on behind. */
  isBehindStart({ view, document, values }: SortedMatch): boolean {
    const { after } = this.#order;
    if (after === undefined) return true;
    const order = this.#compareValues(values, after.values);
    if (order !== 0) return order > 0;
    return document >= recall(this.#firstsAfter, view, () => findFirstBehind(view, after));
  }

  #valueOf(key: number, match: Match): SortValue {
    const column = this.#columns[key];
    return column === undefined ? match.score : column.valueOf(match.document, () => this.#present(match));
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
