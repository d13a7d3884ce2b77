import { runAtOnce } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTermDictionary, TermArena } from './term-arena.ts';
import { compareByCodePoint, toBytes } from './term-dictionary.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 500;

const sortedTerms = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '月', '𠀀', '\uffff'), maxLength: 5 }), {
    maxLength: 40,
  })
  .map((terms) => terms.sort(compareByCodePoint));
const anyTerm = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '月', '𠀀'), maxLength: 4 });

describe('a term dictionary', () => {
  it('finds, seeks and cuts out prefixes as a sorted list does', () => {
    fc.assert(
      fc.property(sortedTerms, anyTerm, (terms, asked) => {
        const dictionary = runAtOnce(buildTermDictionary(terms));
        expect(dictionary.size).toBe(terms.length);
        expect(terms.map((_, ordinal) => dictionary.term(ordinal))).toEqual(terms);
        expect(dictionary.find(asked)).toBe(terms.indexOf(asked));
        expect(dictionary.findBytes(toBytes(asked))).toBe(terms.indexOf(asked));
        expect(dictionary.seek(asked)).toBe(terms.filter((term) => compareByCodePoint(term, asked) < 0).length);
        for (let from = 0; from <= terms.length; from++) {
          const ordinal = terms.indexOf(asked);
          expect(dictionary.findFrom(asked, from)).toBe(ordinal < 0 ? ~dictionary.seek(asked) : ordinal);
        }
        const [start, end] = dictionary.prefixRange(asked);
        expect(terms.slice(start, end)).toEqual(terms.filter((term) => term.startsWith(asked)));
      }),
      { numRuns: RUNS },
    );
  });

  it('compares its terms with those of another as texts are compared', () => {
    fc.assert(
      fc.property(sortedTerms, sortedTerms, (left, right) => {
        const [a, b] = [runAtOnce(buildTermDictionary(left)), runAtOnce(buildTermDictionary(right))];
        left.forEach((term, i) => {
          right.forEach((other, j) => {
            expect(Math.sign(a.compare(i, b, j))).toBe(Math.sign(compareByCodePoint(term, other)));
          });
        });
      }),
      { numRuns: RUNS / 5 },
    );
  });

  it('takes terms over from others', () => {
    const from = runAtOnce(buildTermDictionary(['a', 'été', 'z'.repeat(600)]));
    const builder = new TermArena();
    for (const ordinal of [0, 1, 2]) builder.addFrom(from, ordinal);
    const taken = runAtOnce(builder.finish());
    expect([taken.term(0), taken.term(1), taken.term(2).length]).toEqual(['a', 'été', 600]);
  });
});
