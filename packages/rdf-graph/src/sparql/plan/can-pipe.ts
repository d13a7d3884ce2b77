import type { Algebra } from '../algebra/algebra.ts';
import { certainOf, mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import { together } from './input.ts';

/**
 * Returns true if extending rows that may bind `outer` by this pattern equals joining with its own solutions, so that
 * it needs no table. Says nothing about its parts, which are asked in their turn. The standard evaluates from the
 * inside, so nothing in the pattern may see variables from outside that it does not bind itself.
 */
export function canPipe(node: Algebra, outer: ReadonlySet<string>, isCorrelated: boolean): boolean {
  const areOwn = (names: Iterable<string>, certain: ReadonlySet<string>) =>
    isCorrelated || [...names].every((name) => !outer.has(name) || certain.has(name));
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'unquote':
    case 'join':
    case 'union':
    case 'project':
      return true;
    case 'filter': {
      const { certain } = scopeOf(node.child);
      return node.conditions.every((condition) => areOwn(variablesOf(condition), certain));
    }
    case 'leftJoin': {
      const names = together(mentionedIn(node.right), ...node.conditions.map((condition) => variablesOf(condition)));
      return areOwn(names, scopeOf(node.left).certain);
    }
    case 'minus':
      return areOwn(mentionedIn(node.right), scopeOf(node.left).certain);
    case 'extend': {
      const certain = certainOf(node.child);
      return node.assignments.every(
        ({ variable, expression }) => !outer.has(variable) && areOwn(variablesOf(expression), certain),
      );
    }
    case 'graph':
      return !outer.has(node.variable);
    default:
      return false;
  }
}
