import { describe, expect, it } from 'vitest';
import { toHierarchies } from './hierarchies.ts';

const REFUSED: readonly (readonly [unknown, RegExp])[] = [
  [null, /hierarchies must be .*; got null/],
  ['x', /hierarchies must be .*; got a string/],
  [{ a: 'O' }, /hierarchy a must be a list of one or more tiers; got a string/],
  [{ a: [] }, /hierarchy a must be a list of one or more tiers/],
  [{ a: ['O', 1] }, /hierarchy a\[1\] must be a non-empty string; got a number/],
  [{ a: [''] }, /hierarchy a\[0\] must be a non-empty string/],
  [{ a: ['O', 'S', 'O'] }, /hierarchy a\[2\] repeats the tier "O"/],
  [{ '': ['O'] }, /empty name/],
  [['a'], /hierarchies\[0\] must be \{name, tiers\}; got a string/],
  [[{ name: 5, tiers: ['O'] }], /hierarchies\[0\]\.name must be a string; got a number/],
  [[{ name: 'a' }], /hierarchy a must be a list .*; got nothing/],
  [
    [
      { name: 'a', tiers: ['O'] },
      { name: 'a', tiers: ['O'] },
    ],
    /hierarchy a is given twice/,
  ],
];

describe('toHierarchies', () => {
  it('reads an object of lists and a list of named tiers alike', () => {
    const expected = { clearance: ['O', 'S'], rank: ['1'] };
    expect({ ...toHierarchies(expected) }).toEqual(expected);
    const named = Object.entries(expected).map(([name, tiers]) => ({ name, tiers }));
    expect({ ...toHierarchies(named) }).toEqual(expected);
    expect({ ...toHierarchies({}) }).toEqual({});
  });

  it('takes prototype keys for plain names', () => {
    expect(Object.keys(toHierarchies(JSON.parse('{"__proto__": ["O"], "constructor": ["O"]}')))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it.each(REFUSED)('refuses %j', (json, message) => {
    expect(() => toHierarchies(json)).toThrow(
      expect.objectContaining({ code: 'ERR_HIERARCHIES', kind: 'invalid', message: expect.stringMatching(message) }),
    );
  });
});
