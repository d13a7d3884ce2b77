import type { JsonObject } from '@cairn/security';
import { exhausted } from '../plan/work-budget.ts';
import type { CollapsedValue } from '../port/search-index.ts';
import type { Scorer } from '../postings/cursor.ts';
import { LeastValues } from '../results/exact-values.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import type { MatchOrder, SortedMatch } from './match-order.ts';
import type { MatchVisitor } from './match-visitor.ts';
import { SortedMatches } from './sorted-matches.ts';
import type { Match } from './top-documents.ts';
import { totalUpTo } from './total-counter.ts';

/** A field by whose values matches are collapsed, read and checked. */
export interface CollapseField {
  readonly path: string;
  /** Up to how many matches of each value are counted. */
  readonly bound: number;
}

/** A match that stands for all of its value; for itself alone where it has none. */
export interface CollapsedMatch extends SortedMatch {
  readonly collapsed?: CollapsedValue;
}

/** The matches of one value. */
interface Group {
  readonly value: string;
  best: SortedMatch;
  count: number;
}

/** Different values of one search: some 60 MB. */
const MAX_VALUES = 250_000;
const VALUES_PER_STEP = 256;

/** Keeps of the matches with the same value the first in an order, and of those the first. */
export class CollapsedMatches implements MatchVisitor {
  readonly #field: CollapseField;
  readonly #order: MatchOrder;
  readonly #present: (match: Match) => JsonObject | undefined;
  /** Those that stand for others, once all are known, and those without a value. */
  readonly #sorted: SortedMatches;
  readonly #groups = new Map<string, Group>();
  #view: SegmentView | undefined;
  #values: LeastValues | undefined;

  /** @param limit at least 1. */
  constructor(
    field: CollapseField,
    limit: number,
    order: MatchOrder,
    present: (match: Match) => JsonObject | undefined,
  ) {
    this.#field = field;
    this.#order = order;
    this.#present = present;
    this.#sorted = new SortedMatches(limit, order);
  }

  open(view: SegmentView): void {
    this.#sorted.open(view);
    this.#view = view;
    this.#values = new LeastValues(view, this.#field.path);
  }

  /** @throws `ERR_SEARCH_BUDGET` (exhausted) for too many values */
  visit(scorer: Scorer): boolean {
    const match: Match = { view: this.#view as SegmentView, document: scorer.document, score: 0 };
    const value = this.#values?.valueOf(scorer.document, () => this.#present(match));
    if (value === undefined) return this.#sorted.visit(scorer);
    const group = this.#groups.get(value);
    const first = this.#order.measure(scorer, group?.best);
    if (group !== undefined) {
      group.count++;
      if (first !== undefined && this.#order.compare(first, group.best) < 0) group.best = first;
    } else if (first !== undefined) {
      if (this.#groups.size >= MAX_VALUES) throw exhausted('values to collapse by', MAX_VALUES);
      this.#groups.set(value, { value, best: first, count: 1 });
    }
    return true;
  }

  /** The first of those that stand for a value, in order. Yields where it may pause. Cost: O(values). */
  *toSorted(): Generator<void, readonly CollapsedMatch[]> {
    const groups = new Map<SortedMatch, Group>();
    let offered = 0;
    for (const group of this.#groups.values()) {
      groups.set(group.best, group);
      this.#sorted.offer(group.best);
      if (++offered % VALUES_PER_STEP === 0) yield;
    }
    return this.#sorted.toSorted().map((match) => {
      const group = groups.get(match);
      return group === undefined ? match : { ...match, collapsed: this.#toCollapsed(group) };
    });
  }

  #toCollapsed({ value, count }: Group): CollapsedValue {
    return { value, count: totalUpTo(count, this.#field.bound) };
  }
}
