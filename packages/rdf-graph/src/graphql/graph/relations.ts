import type { TermId } from '../../store/term-kind.ts';
import type { Later } from './later.ts';
import type { Pacer } from './pacer.ts';

/** A predicate and the term at the other end. */
export interface Relation {
  readonly predicate: TermId;
  readonly other: TermId;
}

/** Which relations are meant; an absent test keeps all. */
export interface RelationTests {
  readonly keepsPredicate: ((predicate: TermId) => boolean) | undefined;
  readonly keepsOther: ((other: TermId) => boolean) | undefined;
}

/** The relations of one node in one direction; ordered by predicate and other end where they are paged. */
export interface Relations {
  readonly size: number;
  /** In the order of their N-Triples form. */
  readonly predicates: readonly TermId[];
  /** How many relations have a predicate. */
  count(predicate: TermId): number;
  /** The other ends of a predicate, in no order; the caller may rearrange them. */
  others(predicate: TermId): Uint32Array;
  /** `limit` relations from the 0-based `start` on. */
  page(pacer: Pacer, start: number, limit: number): Later<readonly Relation[]>;
  /** Only the relations that pass the tests. */
  filter(pacer: Pacer, tests: RelationTests): Later<Relations>;
}
