import type { Algebra } from '../algebra/algebra.ts';
import { certainOf, expressionsOf, mentionedIn, namesIn, scopeOf } from '../algebra/variables.ts';
import { together } from './input.ts';

/**
 * Returns true if extending rows that may bind `outer` by this pattern equals joining with its own solutions, so that
 * it needs no table. Says nothing about its parts, which are asked in their turn. The standard evaluates from the
 * inside, so nothing in the pattern may see variables from outside that it does not bind itself.
 */
export function canPipe(node: Algebra, outer: ReadonlySet<string>, isCorrelated: boolean): boolean {
  const areOwn = (names: ReadonlySet<string>, certain: ReadonlySet<string>) =>
    isCorrelated || [...names].every((name) => !outer.has(name) || certain.has(name));
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
    case 'minus':
      return areOwn(mentionedIn(node.right), scopeOf(node.left).certain);
    case 'extend': {
      const isNew = node.assignments.every(({ variable }) => !outer.has(variable));
      return isNew && areOwn(namesIn(expressionsOf(node)), certainOf(node.child));
    }
    case 'graph':
      return !outer.has(node.variable);
    default:
      return false;
  }
}
