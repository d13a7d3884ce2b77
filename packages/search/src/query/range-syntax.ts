import type { Bound, Query } from './query.ts';
import { isLone, type Scanner, textOf, type WordCharacter } from './scanner.ts';

/** Operators before a lone bound, longer first. */
export const COMPARISONS = ['>=', '<=', '>', '<'] as const;

/** Reads `[a TO b}` from its opening bracket on. */
export function parseRange(scanner: Scanner, field: string | undefined): Query {
  const start = scanner.offset;
  const includesLower = scanner.peek() === '[';
  scanner.offset++;
  const lower = readBound(scanner);
  scanner.skipSpace();
  if (!scanner.takeKeyword('TO')) scanner.fail('a range lacks TO', ['TO']);
  const upper = readBound(scanner);
  scanner.skipSpace();
  const close = scanner.peek();
  if (close !== ']' && close !== '}') {
    scanner.fail('a range is not closed', [']', '}'], scanner.atEnd ? start : scanner.offset);
  }
  scanner.offset++;
  return {
    type: 'range',
    field,
    lower: lower === undefined ? undefined : { value: lower, inclusive: includesLower },
    upper: upper === undefined ? undefined : { value: upper, inclusive: close === ']' },
  };
}

export function parseComparison(scanner: Scanner, field: string, operator: (typeof COMPARISONS)[number]): Query {
  const value = readBound(scanner);
  const bound: Bound | undefined = value === undefined ? undefined : { value, inclusive: operator.length === 2 };
  return operator.startsWith('>') ? { type: 'range', field, lower: bound } : { type: 'range', field, upper: bound };
}

/** One end of a range; `undefined` for `*`. A colon is part of it, as in a time. */
function readBound(scanner: Scanner): string | undefined {
  scanner.skipSpace();
  if (scanner.peek() === '"') return scanner.readDelimited('"', 'the end of a range', false);
  const characters: WordCharacter[] = [];
  while (true) {
    characters.push(...scanner.readWord());
    if (scanner.peek() !== ':') break;
    characters.push({ text: ':', escaped: true });
    scanner.offset++;
  }
  if (characters.length === 0) scanner.fail('a range lacks an end', ['a value', '*']);
  return isLone(characters, '*') ? undefined : textOf(characters);
}
