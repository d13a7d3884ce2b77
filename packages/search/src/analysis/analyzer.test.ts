import fc from 'fast-check';
import lunr from 'lunr';
import { describe, expect, it } from 'vitest';
import { getAnalyzer } from './analyzer.ts';
import { LANGUAGES } from './languages.ts';
import { takesPosition } from './token-kind.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 100_000 : 2000;

function terms(name: string, text: string): string[] {
  const found: string[] = [];
  getAnalyzer(name).analyze(text, (term) => found.push(term));
  return found;
}

/** Returns lunr's terms of a text split at white space. */
function lunrTerms(text: string): string[] {
  const pipeline = new lunr.Pipeline();
  pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  // Where a run is trimmed to nothing, lunr keeps an empty token.
  return pipeline
    .run(lunr.tokenizer(text))
    .map(String)
    .filter((term) => term !== '');
}

describe('the English analyzer', () => {
  it('gives the tokens of lunr where white space or hyphens alone part the words', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdeilnorstyz019_'), minLength: 1, maxLength: 12 });
    const word = fc.oneof(
      letters,
      fc.constantFrom('running', 'The', "don't", '(foo)', '--', 'A_b', 'x2', '"quoted"', '..'),
    );
    const isWord = (text: string): boolean => /[a-z0-9]/i.test(text) || !text.includes('_');
    const text = fc.array(word.filter(isWord)).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, (ascii) => {
        expect(terms('en', ascii)).toEqual(lunrTerms(ascii));
      }),
      { numRuns: RUNS },
    );
  });

  it('reads letters of every script', () => {
    expect(terms('en', 'Привет, été naïve')).toEqual(['привет', 'et', 'naiv']);
    expect(terms('simple', '日本語のテキスト').length).toBeGreaterThan(1);
    expect(terms('simple', 'Straße ÅNGSTRÖM ΌΣΟΣ')).toEqual(['strasse', 'angstrom', 'οσοσ']);
  });

  it('gives one term to forms that look or mean the same', () => {
    const same = (...forms: readonly string[]): void => {
      for (const form of forms) expect(terms('en', form), form).toContain(terms('en', forms[0]).at(-1));
    };
    same('wifi', 'wi-fi', 'Wi\u2011Fi', 'wi\u00adfi');
    same('usa', 'U.S.A.', 'u.s.a');
    same("don't", 'don\u2019t', 'DON\u2019T');
    same('cooperate', 'co\u00adoperate', 'coop\u2060erate');
    same('c++', 'C++');
  });

  it('counts stop words as positions', () => {
    const positions: [string, number][] = [];
    getAnalyzer('en').analyze('state of the art', (term, position) => positions.push([term, position]));
    expect(positions).toEqual([
      ['state', 0],
      ['art', 3],
    ]);
  });
});

describe('every analyzer', () => {
  it('gives offsets of the stored text, in order, whatever the text', () => {
    const names = fc.constantFrom('simple', ...LANGUAGES.keys());
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(names, text, (name, value) => {
        let last = 0;
        let lastPosition = -1;
        getAnalyzer(name).analyze(value, (term, position, start, end, kind) => {
          expect(term).not.toBe('');
          expect(end).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(value.length);
          if (takesPosition(kind)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(position).toBeGreaterThan(lastPosition);
          } else {
            // The part whose position it shares may be a stop word.
            expect(position).toBeGreaterThanOrEqual(lastPosition);
          }
          last = end;
          lastPosition = position;
        });
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('takes time in proportion to the text', () => {
    const started = process.cpuUsage();
    for (const text of ['a'.repeat(1_000_000), '月'.repeat(50_000), ' '.repeat(1_000_000), "'".repeat(1_000_000)])
      terms('en', text);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});

describe('an analyzer', () => {
  it('goes on with a text when the one who is told of its terms has analysed another', () => {
    const found: string[] = [];
    getAnalyzer('simple').analyze('one two three', (term) => {
      found.push(term, ...terms('simple', `${term}a ${term}b`));
    });
    expect(found).toEqual(['one', 'onea', 'oneb', 'two', 'twoa', 'twob', 'three', 'threea', 'threeb']);
    expect(terms('simple', 'four')).toEqual(['four']);
  });

  it('reads a text whole after it was stopped within another', () => {
    const stop = (): never => {
      throw new Error('stopped');
    };
    expect(() => getAnalyzer('simple').analyze('one two', stop)).toThrow('stopped');
    expect(terms('simple', 'three four')).toEqual(['three', 'four']);
  });
});
