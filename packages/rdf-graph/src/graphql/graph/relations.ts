import type { TermId } from '../../graph/port/term-kind.ts';
import type { Later } from './later.ts';
import type { Pacer } from './pacer.ts';

export interface Relation {
  readonly predicate: TermId;
  readonly other: TermId;
}

export type TermCounts = ReadonlyMap<TermId, number>;

/** Selection of relations; an absent test keeps all. */
export interface RelationTests {
  readonly keepsPredicate: ((predicate: TermId) => boolean) | undefined;
  readonly keepsOther: ((other: TermId) => boolean) | undefined;
}

/** The relations of one node in one direction; ordered by predicate and other end where they are paged. */
export interface Relations {
  readonly size: number;
  /** In the order of their N-Triples form. */
  readonly predicates: readonly TermId[];
  count(predicate: TermId): number;
  /** The other ends of a predicate, in no order; the caller may rearrange them. */
  others(predicate: TermId): Uint32Array;
  /** `limit` relations from the 0-based `start` on. */
  page(pacer: Pacer, start: number, limit: number): Later<readonly Relation[]>;
  filter(pacer: Pacer, tests: RelationTests): Later<Relations>;
}
