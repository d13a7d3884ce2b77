import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFieldNames, compileFieldPattern, compileFieldSelection } from './field-selection.ts';

describe('a field pattern', () => {
  it('fits what the regular expression of its stars fits', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 6 });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, path, (text, candidate) => {
        const parts = text.split('*').map((part) => part.replaceAll('.', '\\.'));
        expect(compileFieldPattern(text)(candidate)).toBe(new RegExp(`^${parts.join('.*')}$`).test(candidate));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a field selection', () => {
  it('weighs a path by the largest boost that fits, and 0 where nothing does', () => {
    const selection = compileFieldSelection(['primaryName^2', '*Name', 'notes.*^0.5']);
    expect(['primaryName', 'lastName', 'notes.text', 'notes'].map((path) => selection.weigh(path))).toEqual([
      2, 1, 0.5, 0,
    ]);
  });

  it('refuses a boost out of range, and says which', () => {
    for (const pattern of ['a^0', 'a^65', 'a^x', 'a^']) {
      expect(() => compileFieldSelection([pattern])).toThrow(`from 0.0625 to 64; got ${pattern}`);
    }
  });

  it('reads a caret in a name without boosts as a character of the name', () => {
    const selection = compileFieldNames(['a^x', 'b^2']);
    expect(['a^x', 'b^2', 'a', 'b'].map((path) => selection.weigh(path))).toEqual([1, 1, 0, 0]);
  });

  it('has another key for other patterns, whatever characters they hold', () => {
    expect(compileFieldSelection(['a,b']).key).not.toBe(compileFieldSelection(['a', 'b']).key);
    expect(compileFieldNames(['a^2']).key).not.toBe(compileFieldSelection(['a^2']).key);
  });
});
