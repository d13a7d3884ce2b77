import { isLiteralKind, type TermId, TermKind } from '../../graph/port/term-kind.ts';
import type { Later, Pacer } from './pacer.ts';

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

/** Selection of relations: those to IRIs and blank nodes, those to literals, or all. */
export type RelationPart = 'nodes' | 'literals' | 'all';

type KindTest = (kind: number) => boolean;

/** Returns true for the kinds of terms of entities: IRIs and blank nodes. */
export const isNodeKind: KindTest = (kind) => kind === TermKind.iri || kind === TermKind.blankNode;

/** By part whether a kind of term belongs to it. */
export const PARTS: Readonly<Record<RelationPart, KindTest>> = {
  nodes: isNodeKind,
  literals: isLiteralKind,
  all: () => true,
};
