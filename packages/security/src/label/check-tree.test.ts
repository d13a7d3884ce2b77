import { describe, expect, it } from 'vitest';
import { evaluateLabel } from './evaluate.ts';
import { formatLabel } from './format.ts';
import { MAX_LABEL_DEPTH } from './label.ts';
import { parseLabel } from './parse.ts';

// biome-ignore lint/suspicious/noExplicitAny: trees that types refuse
type AnyTree = any;

const a = { kind: 'test', attribute: 'a', relation: '=', value: 'true' };
const cyclic: AnyTree = { kind: 'all', items: [a] };
cyclic.items.push(cyclic);
let deep: AnyTree = a;
for (let level = 0; level < 100_000; level++) deep = { kind: 'all', items: [deep] };

const REFUSED: readonly (readonly [what: string, tree: AnyTree, code: string])[] = [
  ['all of nothing', { kind: 'all', items: [] }, 'ERR_ARGUMENT'],
  ['any of nothing', { kind: 'any', items: [] }, 'ERR_ARGUMENT'],
  ['nothing inside a group', { kind: 'any', items: [a, { kind: 'all', items: [] }] }, 'ERR_ARGUMENT'],
  ['nothing inside a list', { kind: 'list', items: [{ kind: 'all', items: [] }] }, 'ERR_ARGUMENT'],
  ['a group with a hole', { kind: 'all', items: new Array(1) }, 'ERR_ARGUMENT'],
  ['a group whose items are no array', { kind: 'all', items: new Set() }, 'ERR_ARGUMENT'],
  ['a list inside a group', { kind: 'all', items: [{ kind: 'list', items: [] }] }, 'ERR_ARGUMENT'],
  ['everyone inside a group', { kind: 'any', items: [{ kind: 'everyone' }] }, 'ERR_ARGUMENT'],
  ['a test without a relation', { kind: 'test', attribute: 'a', value: 'b' }, 'ERR_ARGUMENT'],
  ['a tree that holds itself', cyclic, 'ERR_LABEL_TOO_LARGE'],
  ['a tree of a hundred thousand levels', deep, 'ERR_LABEL_TOO_LARGE'],
];

describe('a tree that no parser gives', () => {
  it.each(REFUSED)('is neither judged nor written: %s', (_, tree, code) => {
    expect(() => evaluateLabel(tree, { a: ['true'] })).toThrow(expect.objectContaining({ code }));
    expect(() => formatLabel(tree)).toThrow(expect.objectContaining({ code }));
  });

  it('is not one of the deepest that a parser gives, nor the empty list', () => {
    const nested = `${'(a|b&'.repeat(MAX_LABEL_DEPTH)}a${')'.repeat(MAX_LABEL_DEPTH)}`;
    const label = parseLabel(nested);
    expect(evaluateLabel(label, { a: ['true'] })).toBe(true);
    expect(parseLabel(formatLabel(label))).toEqual(label);
    expect(evaluateLabel(parseLabel(''), {})).toBe(false);
    expect(formatLabel(parseLabel(''))).toBe('');
  });
});
