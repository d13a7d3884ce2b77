import { PERMUTATION_COLUMNS, type PermutationId } from '../../graph/store/permutation.ts';
import type { AggregateBinding, Algebra, TriplePattern } from '../algebra/algebra.ts';
import { namesOf } from '../algebra/variables.ts';

/** One pattern whose rows lie sorted by one of its variables. */
export interface SortedPattern {
  readonly pattern: TriplePattern;
  readonly variable: string;
  readonly permutation: PermutationId;
  readonly column: 0 | 1 | 2;
}

/** The permutation in which a lone pattern lies sorted by a variable, or `undefined`. */
export function toSortedPattern(node: Algebra, variable: string): SortedPattern | undefined {
  if (node.type !== 'bgp' || node.patterns.length !== 1) return undefined;
  const pattern = node.patterns[0];
  const places = [pattern.subject, pattern.predicate, pattern.object];
  const names = namesOf(...places);
  if (pattern.graph.type === 'variable' || new Set(names).size !== names.length) return undefined;
  const key = places.findIndex((place) => place.type === 'variable' && place.name === variable);
  if (key < 0) return undefined;
  const fixed = new Set([0, 1, 2].filter((at) => places[at].type === 'term'));
  const permutation = PERMUTATION_COLUMNS.findIndex(
    (columns) => columns[fixed.size] === key && columns.slice(0, fixed.size).every((at) => fixed.has(at)),
  );
  if (permutation < 0) return undefined;
  return { pattern, variable, permutation: permutation as PermutationId, column: fixed.size as 0 | 1 | 2 };
}

export function countsRows({ name, distinct, expression }: AggregateBinding, { pattern }: SortedPattern): boolean {
  if (name !== 'count' || distinct) return false;
  if (expression === undefined) return true;
  const names = namesOf(pattern.subject, pattern.predicate, pattern.object);
  return expression.type === 'variable' && names.includes(expression.name);
}

/** The variable whose distinct values are all that some aggregates without GROUP BY look at, or `undefined`. */
export function distinctValuesOf(aggregates: readonly AggregateBinding[]): string | undefined {
  const [first] = aggregates;
  const name = first?.expression?.type === 'variable' ? first.expression.name : undefined;
  const areAlike = aggregates.every(
    ({ name: aggregate, distinct, expression }) =>
      expression?.type === 'variable' &&
      expression.name === name &&
      (distinct || aggregate === 'min' || aggregate === 'max'),
  );
  return areAlike ? name : undefined;
}
