import { badArgument } from '@cairn/errors';
import { isPlain } from './characters.ts';
import { checkTree } from './check-tree.ts';
import type { Label, LabelExpression, LabelTest } from './label.ts';
import { quote } from './quoted.ts';

/**
 * Returns the text of a label, with the fewest parentheses and quotes that keep its tree. Parsing it gives an equal
 * tree, except that a group directly in a group of its own kind keeps its parentheses. Refuses trees as
 * {@link evaluateLabel} does.
 */
export function formatLabel(label: Label): string {
  checkTree(label);
  switch (label.kind) {
    case 'everyone':
      return '*';
    case 'nobody':
      return '!';
    case 'list':
      return label.items.map(formatExpression).join(',');
    case 'all':
    case 'any':
    case 'test':
      return formatExpression(label);
    default:
      throw badArgument('a label', 'a tree as parseLabel gives it', label);
  }
}

/** Writes a word, number or text for a label, quoted only where necessary. */
export function formatText(text: string): string {
  return isPlain(text) ? text : quote(text);
}

/** Writes one comparison: `a` for `a=true`. */
export function formatTest(test: LabelTest): string {
  const attribute = formatText(test.attribute);
  const bare = test.relation === '=' && test.value === 'true';
  return bare ? attribute : `${attribute}${test.relation}${formatText(test.value)}`;
}

function formatExpression(expression: LabelExpression): string {
  if (expression.kind === 'test') return formatTest(expression);
  if (expression.kind === 'any') return expression.items.map((item) => inside(item, item.kind === 'any')).join('|');
  return expression.items.map((item) => inside(item, item.kind !== 'test')).join('&');
}

function inside(expression: LabelExpression, parentheses: boolean): string {
  const text = formatExpression(expression);
  return parentheses ? `(${text})` : text;
}
