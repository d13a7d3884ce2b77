import { expect, it } from 'vitest';
import { BoundedMemo } from './bounded-memo.ts';

it('computes again only what was not asked for lately, and long keys each time', () => {
  const memo = new BoundedMemo<string>(4);
  const computed: string[] = [];
  const ask = (key: string): string =>
    memo.get(key, () => {
      computed.push(key.slice(0, 3));
      return key;
    });
  const long = 'x'.repeat(1025);
  const keys = ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'b', long, long];
  expect(keys.map(ask)).toEqual(keys);
  expect(computed).toEqual(['a', 'b', 'c', 'd', 'b', 'xxx', 'xxx']);
});

it('remembers false', () => {
  const memo = new BoundedMemo<boolean>(4);
  expect(memo.get('a', () => false)).toBe(false);
  expect(memo.get('a', () => true)).toBe(false);
});
