import { runAtOnce } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTermDictionary } from '../segment/term-arena.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { findNear } from './fuzzy.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 1000;

/** Insertions, deletions, substitutions and swaps of neighbours, by a table of all prefixes. */
function countEdits(from: readonly string[], to: readonly string[]): number {
  const table = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0));
  for (let i = 0; i <= from.length; i++) {
    for (let j = 0; j <= to.length; j++) {
      const others = [Math.max(i, j)];
      if (i > 0 && j > 0) {
        others.push(
          table[i - 1][j] + 1,
          table[i][j - 1] + 1,
          table[i - 1][j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1),
        );
      }
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        others.push(table[i - 2][j - 2] + 1);
      table[i][j] = Math.min(...others);
    }
  }
  return table[from.length][to.length];
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '月', '𠀀'), minLength: 1, maxLength: 6 });

describe('the terms near a word', () => {
  it('are those that a table of distances gives, in order, with those distances', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(words, { maxLength: 80 }),
        words,
        fc.integer({ min: 0, max: 3 }),
        fc.boolean(),
        (all, word, most, keepsFirst) => {
          const terms = all.sort(compareByCodePoint);
          const characters = Array.from(word);
          const expected = new Map<string, number>();
          for (const term of terms) {
            const distance = countEdits(characters, Array.from(term));
            if (distance <= most && (!keepsFirst || term.startsWith(characters[0]))) expected.set(term, distance);
          }
          const dictionary = runAtOnce(buildTermDictionary(terms));
          const { ordinals, distances } = findNear(dictionary, word, most, keepsFirst);
          expect(Array.from(ordinals, (ordinal) => terms[ordinal])).toEqual([...expected.keys()]);
          expect(distances).toEqual(expected);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
