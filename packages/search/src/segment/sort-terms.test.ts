import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortTerms } from './sort-terms.ts';
import { TermArena } from './term-arena.ts';
import { compareByCodePoint } from './term-dictionary.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 500;

function finish<T>(work: Generator<void, T>): { value: T; steps: number } {
  let steps = 1;
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  return { value: step.value, steps };
}

describe('sorted terms', () => {
  it('are in the order of code points, and become a dictionary of the same texts', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.constantFrom('a', 'ab', 'b').chain((head) => fc.string({ maxLength: 3 }).map((tail) => head.repeat(9) + tail)),
    );
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 120 }), (words) => {
        const arena = new TermArena();
        for (const text of words) arena.add(text);
        const dictionary = finish(arena.toDictionary(finish(sortTerms(arena)).value)).value;
        const found = words.map((_, ordinal) => dictionary.term(ordinal));
        expect(found).toEqual([...words].sort(compareByCodePoint));
      }),
      { numRuns: RUNS },
    );
  });

  it('pauses within one long shared beginning', () => {
    const arena = new TermArena();
    for (let i = 0; i < 5000; i++) arena.add(`http://example.org/a/long/shared/beginning/${(i * 7919) % 5000}`);
    const { value, steps } = finish(sortTerms(arena));
    expect(value).toHaveLength(5000);
    expect(steps).toBeGreaterThan(5);
  });
});
