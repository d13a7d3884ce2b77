import { Permutation, type PermutationId } from '../../graph/store/permutation.ts';
import type { Algebra, TriplePattern } from '../algebra/algebra.ts';
import type { PlanInput } from './input.ts';
import type { JoinQueue } from './join-queue.ts';

/** Patterns that have one and the same open variable. */
export interface Intersection {
  readonly variable: string;
  readonly nodes: readonly Algebra[];
}

/**
 * The other operands that leave open exactly the variable that a pattern leaves open: they can be intersected at once.
 * `undefined` when there are none, or where the pattern reads another graph than the default one.
 */
export function findIntersection(
  node: Algebra,
  queue: JoinQueue,
  { certain, possible }: PlanInput,
): Intersection | undefined {
  const variable = openVariable(node, certain);
  if (variable === undefined || possible.has(variable)) return undefined;
  const nodes = queue.mentioning(variable).filter((other) => openVariable(other, certain) === variable);
  return nodes.length > 1 ? { variable, nodes } : undefined;
}

/** The only variable that a lone pattern of the default graph would bind. */
function openVariable(node: Algebra, certain: ReadonlySet<string>): string | undefined {
  if (node.type !== 'bgp' || node.patterns.length !== 1) return undefined;
  const { subject, predicate, object, graph } = node.patterns[0];
  if (graph.type !== 'default') return undefined;
  let open: string | undefined;
  for (const place of [subject, predicate, object]) {
    if (place.type !== 'variable' || certain.has(place.name)) continue;
    if (open !== undefined) return undefined;
    open = place.name;
  }
  return open;
}

export function permutationOf({ subject, predicate }: TriplePattern, { certain }: PlanInput): PermutationId {
  const isOpen = (place: TriplePattern['subject']) => place.type === 'variable' && !certain.has(place.name);
  if (isOpen(subject)) return Permutation.pos;
  return isOpen(predicate) ? Permutation.osp : Permutation.spo;
}
