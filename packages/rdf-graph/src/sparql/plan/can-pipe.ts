import type { Algebra } from '../algebra/algebra.ts';
import { certainOf, expressionsOf, mentionedIn, namesIn, scopeOf } from '../algebra/variables.ts';
import { minusSeesOuterRow } from './independence.ts';
import { type PlanInput, together } from './input.ts';

type Rows = Pick<PlanInput, 'possible' | 'outer' | 'isOuterRow'>;

/**
 * Returns true if extending rows by this pattern equals joining them with its own solutions, so that it needs no table.
 * Says nothing about its parts, which are asked in their turn. The standard evaluates from the inside, so nothing in the
 * pattern may see variables from outside that it does not bind itself; inside EXISTS it sees the outer row alone.
 */
export function canPipe(node: Algebra, rows: Rows): boolean {
  const { possible, outer, isOuterRow } = rows;
  const areOwn = (names: ReadonlySet<string>, certain: ReadonlySet<string>) =>
    isOuterRow || [...names].every((name) => !possible.has(name) || certain.has(name) || outer?.certain.has(name));
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'unquote':
    case 'namedGraph':
    case 'join':
    case 'union':
    case 'project':
      return true;
    case 'filter':
      return areOwn(namesIn(node.conditions), scopeOf(node.child).certain);
    case 'leftJoin':
      return areOwn(together(mentionedIn(node.right), namesIn(node.conditions)), scopeOf(node.left).certain);
    case 'minus': {
      if (isOuterRow) return true;
      const { certain } = scopeOf(node.left);
      const isOwn = [...mentionedIn(node.right)].every((name) => !possible.has(name) || certain.has(name));
      return isOwn && !minusSeesOuterRow(node, outer);
    }
    case 'extend': {
      const isNew = node.assignments.every(({ variable }) => !possible.has(variable));
      return isNew && areOwn(namesIn(expressionsOf(node)), certainOf(node.child));
    }
    case 'graph':
      return isOuterRow || !possible.has(node.variable) || outer?.certain.has(node.variable) === true;
    default:
      return false;
  }
}
