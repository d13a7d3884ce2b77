import { type TermId, UNBOUND } from '../port/term-kind.ts';
import { Permutation, type PermutationId } from './permutation.ts';
import type { Range } from './range.ts';

/** By which bits (1 subject, 2 predicate, 4 object) are bound: the permutation whose prefix they are. */
export const PERMUTATION_BY_MASK: readonly PermutationId[] = [
  Permutation.spo,
  Permutation.spo,
  Permutation.pso,
  Permutation.spo,
  Permutation.osp,
  Permutation.osp,
  Permutation.pos,
  Permutation.spo,
];

export function permutationFor(s: TermId, p: TermId, o: TermId): PermutationId {
  return PERMUTATION_BY_MASK[(s === UNBOUND ? 0 : 1) | (p === UNBOUND ? 0 : 2) | (o === UNBOUND ? 0 : 4)];
}

/** The permutation that begins with a bound term, the rarest kind first, and that term. */
export function firstBound(s: TermId, p: TermId, o: TermId): [PermutationId, TermId] {
  if (s !== UNBOUND) return [Permutation.spo, s];
  return o !== UNBOUND ? [Permutation.osp, o] : [Permutation.pso, p];
}

/** Subject, predicate and object in the order of a permutation's columns. */
export function inOrder(
  permutation: PermutationId,
  s: TermId,
  p: TermId,
  o: TermId,
): readonly [TermId, TermId, TermId] {
  switch (permutation) {
    case Permutation.spo:
      return [s, p, o];
    case Permutation.pso:
      return [p, s, o];
    case Permutation.pos:
      return [p, o, s];
    default:
      return [o, s, p];
  }
}

/** The subject, predicate and object columns of a range. */
export function columnsOf(
  permutation: PermutationId,
  { a, b, c }: Range,
): readonly [Uint32Array, Uint32Array, Uint32Array] {
  switch (permutation) {
    case Permutation.spo:
      return [a, b, c];
    case Permutation.pso:
      return [b, a, c];
    case Permutation.pos:
      return [c, a, b];
    default:
      return [b, c, a];
  }
}
