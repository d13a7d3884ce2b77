import type { Algebra } from '../algebra/algebra.ts';
import { certainOf, expressionsOf, mentionedIn, namesIn, scopeOf } from '../algebra/variables.ts';
import { type OuterRow, shared, together } from './input.ts';

type Names = ReadonlySet<string>;

/**
 * Returns true if a pattern inside EXISTS may be evaluated without the outer row and joined with it then: once for all
 * rows, not for each. `outer`: the variables of that row.
 */
export function isIndependent(node: Algebra, outer: Names): boolean {
  const isSettled = (names: Iterable<string>, settled: Names) =>
    [...names].every((name) => !outer.has(name) || settled.has(name));
  const areIndependent = (...nodes: readonly Algebra[]) => nodes.every((part) => isIndependent(part, outer));
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'unquote':
    case 'values':
    case 'namedGraph':
    case 'service':
      return true;
    case 'join':
    case 'union':
      return areIndependent(...node.operands);
    case 'filter':
      return isSettled(namesIn(node.conditions), scopeOf(node.child).certain) && areIndependent(node.child);
    case 'leftJoin': {
      const seen = together(mentionedIn(node.right), namesIn(node.conditions));
      return isSettled(seen, scopeOf(node.left).certain) && areIndependent(node.left, node.right);
    }
    case 'minus':
      return !isMinusOpen(node, outer) && areIndependent(node.left, node.right);
    case 'extend':
      return isSettled(namesIn(expressionsOf(node)), certainOf(node.child)) && areIndependent(node.child);
    case 'graph':
    case 'orderBy':
    case 'project':
      return areIndependent(node.child);
    case 'distinct':
      return isSettled(scopeOf(node.child).possible, scopeOf(node.child).certain) && areIndependent(node.child);
    case 'slice':
      return isSettled(mentionedIn(node.child), new Set());
    case 'group':
      return isSettled(mentionedIn(node), keysOf(node)) && areIndependent(node.child);
  }
}

/** Returns true if the right side of MINUS has to be evaluated for each outer row. */
export function minusSeesOuterRow(node: Extract<Algebra, { type: 'minus' }>, outer: OuterRow | undefined): boolean {
  return outer !== undefined && isMinusOpen(node, outer.names);
}

/** The right side mentions the outer row otherwise than by what the left side binds, or may leave open what both share. */
function isMinusOpen({ left, right }: Extract<Algebra, { type: 'minus' }>, outer: Names): boolean {
  const bound = scopeOf(left).certain;
  if ([...mentionedIn(right)].some((name) => outer.has(name) && !bound.has(name))) return true;
  const common = shared(scopeOf(right).possible, scopeOf(left).possible);
  return common.some((name) => outer.has(name) && !scopeOf(right).certain.has(name)) || !isIndependent(right, outer);
}

/** The variables that a grouping keeps as they are in every solution: a group has one value of each. */
function keysOf({ keys, child }: Extract<Algebra, { type: 'group' }>): Names {
  const { certain } = scopeOf(child);
  const kept = keys.filter(({ variable, expression }) => {
    return expression.type === 'variable' && expression.name === variable && certain.has(variable);
  });
  return new Set(kept.map(({ variable }) => variable));
}
