import type { TermId } from '../../store/term-kind.ts';
import { LazyOrder } from './lazy-order.ts';
import type { TermOrder } from './term-order.ts';

/** A predicate and the term at the other end. */
export interface Relation {
  readonly predicate: TermId;
  readonly other: TermId;
}

/** The relations of one node in one direction, by predicate; ordered by predicate and other end when they are paged. */
export class Relations {
  /** In the order of their N-Triples form. */
  readonly predicates: readonly TermId[];
  readonly size: number;
  readonly #groups: ReadonlyMap<TermId, LazyOrder>;
  readonly #order: TermOrder;

  constructor(groups: ReadonlyMap<TermId, Uint32Array>, order: TermOrder) {
    this.#order = order;
    this.#groups = new Map([...groups].map(([predicate, ids]) => [predicate, new LazyOrder(ids, order.compare)]));
    this.predicates = [...groups.keys()].sort(order.compare);
    this.size = this.predicates.reduce((sum, predicate) => sum + this.count(predicate), 0);
  }

  /** How many relations have a predicate. */
  count(predicate: TermId): number {
    return this.#groups.get(predicate)?.length ?? 0;
  }

  /** The other ends of a predicate, in no order. */
  others(predicate: TermId): Uint32Array {
    return this.#groups.get(predicate)?.unordered ?? new Uint32Array(0);
  }

  /** `limit` relations from the 0-based `start` on. Cost: O(relations of the predicates in it) once, then O(page). */
  page(start: number, limit: number): Relation[] {
    const found: Relation[] = [];
    let passed = 0;
    for (const predicate of this.predicates) {
      const group = this.#groups.get(predicate)!;
      const from = Math.max(0, start - passed);
      const to = start + limit - passed;
      if (to <= 0) break;
      for (const other of group.page(from, to)) found.push({ predicate, other });
      passed += group.length;
    }
    return found;
  }

  /** Only the relations that pass both tests. */
  filter(
    keepsPredicate: (predicate: TermId) => boolean,
    keepsOther: ((other: TermId) => boolean) | undefined,
  ): Relations {
    const groups = new Map<TermId, Uint32Array>();
    for (const predicate of this.predicates) {
      if (!keepsPredicate(predicate)) continue;
      const others = this.others(predicate);
      const kept = keepsOther === undefined ? others.slice() : others.filter(keepsOther);
      if (kept.length > 0) groups.set(predicate, kept);
    }
    return new Relations(groups, this.#order);
  }
}
