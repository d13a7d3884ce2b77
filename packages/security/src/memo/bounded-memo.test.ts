import { expect, it } from 'vitest';
import { BoundedMemo } from './bounded-memo.ts';

it('computes a remembered key once, forgets the oldest first, and never remembers a long key', () => {
  const memo = new BoundedMemo<string>(2);
  const computed: string[] = [];
  const ask = (key: string): string =>
    memo.get(key, () => {
      computed.push(key.slice(0, 3));
      return key;
    });
  const long = 'x'.repeat(1025);
  expect(['a', 'b', 'a', 'c', 'b', 'a', long, long].map(ask)).toEqual(['a', 'b', 'a', 'c', 'b', 'a', long, long]);
  expect(computed).toEqual(['a', 'b', 'c', 'a', 'xxx', 'xxx']);
});

it('remembers false', () => {
  const memo = new BoundedMemo<boolean>(2);
  expect(memo.get('a', () => false)).toBe(false);
  expect(memo.get('a', () => true)).toBe(false);
});
