import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromSafePath, toSafePath } from './safe-name.ts';

const segment = fc
  .string({ unit: fc.constantFrom(...'aAbBzZ09._-'), minLength: 1, maxLength: 200 })
  .filter((text) => text !== '.' && text !== '..');
const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

it('gives each name one path, also where case is ignored, and back', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(fromSafePath(toSafePath(a))).toBe(a);
      expect(toSafePath(a).toLowerCase() === toSafePath(b).toLowerCase()).toBe(a === b);
    }),
  );
});

it('gives paths that stay where they are put and that file systems take', () => {
  fc.assert(
    fc.property(name, (one) => {
      for (const part of toSafePath(one).split('/')) {
        expect(part.length).toBeGreaterThan(0);
        expect(part.length).toBeLessThan(256);
        expect(part.startsWith('.')).toBe(false);
      }
    }),
  );
});

it('keeps a name apart from a name below it', () => {
  expect(toSafePath('a/b')).toBe('a=/b');
  expect(toSafePath('a')).toBe('a');
  expect([fromSafePath('A'), fromSafePath('.a'), fromSafePath('a/b')]).toEqual([undefined, undefined, undefined]);
});
