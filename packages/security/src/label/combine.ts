import { checkArray, checkText } from '@cairn/errors';
import { labelTooDeep, labelTooLong } from './errors.ts';
import { formatTest } from './format.ts';
import { isEmptyLabel, type Label, type LabelExpression, MAX_LABEL_DEPTH, MAX_LABEL_LENGTH } from './label.ts';
import { parseLabel } from './parse.ts';

/** A canonical part: its text, its kind, and how deep its parentheses nest. */
interface Part {
  readonly kind: 'test' | 'all' | 'any' | 'everyone' | 'nobody';
  readonly text: string;
  readonly depth: number;
  /** For `all` and `any`: its items, sorted and distinct. */
  readonly items: readonly Part[];
}

const EVERYONE: Part = { kind: 'everyone', text: '*', depth: 0, items: [] };
const NOBODY: Part = { kind: 'nobody', text: '!', depth: 0, items: [] };

/** Effect of `*` and `!` in a group: one changes nothing, the other decides the whole group. */
const CONSTANTS = {
  all: { symbol: '&', neutral: EVERYONE, deciding: NOBODY },
  any: { symbol: '|', neutral: NOBODY, deciding: EVERYONE },
} as const;

/**
 * The canonical label that permits exactly those whom every one of the labels permits. Labels that differ only in order,
 * repetition, nesting, commas for `&`, quotes, white space or redundant parentheses have the same.
 *
 * An empty label permits nobody, so with one beside others the result is `!`; when all are empty, or there is none, it
 * is the empty list `''`. A malformed label throws as {@link parseLabel}.
 */
export function allOf(labels: readonly string[]): string {
  return combine('all', labels);
}

/**
 * Returns the canonical label that permits exactly the users whom at least one of the labels permits.
 *
 * An empty label permits nobody and so adds nothing; when all are empty, or there is none, the result is the empty list
 * `''`. A malformed label throws as {@link parseLabel}.
 */
export function anyOf(labels: readonly string[]): string {
  return combine('any', labels);
}

function combine(kind: 'all' | 'any', labels: readonly string[]): string {
  checkArray(labels, 'the labels');
  for (const label of labels) checkText(label, 'a label');
  if (labels.every(isEmptyLabel)) return '';
  const parts = labels.map((label) => (isEmptyLabel(label) ? NOBODY : canonicalPart(parseLabel(label))));
  const part = group(kind, parts);
  if (part.text.length > MAX_LABEL_LENGTH) throw labelTooLong(part.text.length);
  if (part.depth > MAX_LABEL_DEPTH) throw labelTooDeep();
  return part.text;
}

function canonicalPart(label: Label): Part {
  if (label.kind === 'everyone') return EVERYONE;
  if (label.kind === 'nobody') return NOBODY;
  if (label.kind === 'list') return group('all', label.items.map(canonicalExpression));
  return canonicalExpression(label);
}

function canonicalExpression(expression: LabelExpression): Part {
  if (expression.kind === 'test') return { kind: 'test', text: formatTest(expression), depth: 0, items: [] };
  return group(expression.kind, expression.items.map(canonicalExpression));
}

function group(kind: 'all' | 'any', parts: readonly Part[]): Part {
  const { symbol, neutral, deciding } = CONSTANTS[kind];
  if (parts.includes(deciding)) return deciding;
  const items = distinct(parts.flatMap((part) => (part.kind === kind ? part.items : part === neutral ? [] : [part])));
  if (items.length === 0) return neutral;
  if (items.length === 1) return items[0];
  const parenthesised = kind === 'all' ? 'any' : undefined;
  return {
    kind,
    text: items.map((item) => (item.kind === parenthesised ? `(${item.text})` : item.text)).join(symbol),
    depth: items.reduce((deepest, item) => Math.max(deepest, item.depth + (item.kind === parenthesised ? 1 : 0)), 0),
    items,
  };
}

function distinct(parts: readonly Part[]): Part[] {
  const byText = new Map(parts.map((part) => [part.text, part]));
  return [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}
