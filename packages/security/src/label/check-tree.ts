import { badArgument, checkObject, checkText } from '@cairn/errors';
import { labelTooDeep } from './errors.ts';
import { type Label, type LabelExpression, MAX_LABEL_DEPTH } from './label.ts';

/** Levels of a tree: a label of the deepest nesting has groups of both kinds at each, and is a list. */
const MAX_LEVELS: number = 2 * MAX_LABEL_DEPTH + 3;

/**
 * Refuses trees that {@link parseLabel} does not give, and that would be judged by nothing or for ever.
 * @throws `ERR_ARGUMENT` (invalid) for a group without items or what is no tree, `ERR_LABEL_TOO_LARGE` (too-large) for
 *   one that is too deep or holds itself
 */
export function checkTree(label: Label): void {
  checkObject(label, 'a label');
  if (label.kind === 'everyone' || label.kind === 'nobody') return;
  if (label.kind === 'list' && Array.isArray(label.items)) {
    for (const item of [...label.items]) checkExpression(item, 1);
    return;
  }
  checkExpression(label as LabelExpression, 0);
}

function checkExpression(expression: LabelExpression, level: number): void {
  if (level > MAX_LEVELS) throw labelTooDeep();
  checkObject(expression, 'a part of a label');
  const { kind } = expression;
  if (kind === 'test') {
    checkText(expression.attribute, 'the attribute of a label');
    checkText(expression.value, 'the value of a label');
    if (expression.relation !== '=' && expression.relation !== '!=') throw noTree(expression);
    return;
  }
  if ((kind !== 'all' && kind !== 'any') || !Array.isArray(expression.items)) throw noTree(expression);
  const { items } = expression;
  if (items.length === 0) throw badArgument(`a group ${kind} of a label`, 'of one item or more', items);
  // A copy has no holes, which a loop over the items would pass over.
  for (const item of [...items]) checkExpression(item, level + 1);
}

function noTree(value: unknown): Error {
  return badArgument('a label', 'a tree as parseLabel gives it', value);
}
