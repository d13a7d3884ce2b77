import type { Expression } from '../algebra/algebra.ts';

/** The conditions that AND puts together. */
export function conjuncts(expression: Expression): Expression[] {
  return expression.type === 'and' ? [...conjuncts(expression.left), ...conjuncts(expression.right)] : [expression];
}
