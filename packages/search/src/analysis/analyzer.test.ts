import fc from 'fast-check';
import lunr from 'lunr';
import { describe, expect, it } from 'vitest';
import { getAnalyzer } from './analyzer.ts';
import { LANGUAGES } from './languages.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 100_000 : 2000;

function terms(name: string, text: string): string[] {
  const found: string[] = [];
  getAnalyzer(name).analyze(text, (term) => found.push(term));
  return found;
}

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
  it('gives the tokens of lunr on ASCII', () => {
    const word = fc.constantFrom(
      'running',
      'The',
      'state-of-the-art',
      "don't",
      'e.g.',
      '(foo)',
      'foo,bar',
      '--',
      'A_b',
      'x2',
      '"quoted"',
      '..',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.array(word).map((words) => words.join(' ')),
    );
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
        getAnalyzer(name).analyze(value, (term, position, start, end) => {
          expect(term).not.toBe('');
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(value.length);
          expect(position).toBeGreaterThan(lastPosition);
          last = end;
          lastPosition = position;
        });
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it('takes time in proportion to the text', () => {
    const started = performance.now();
    for (const text of ['a'.repeat(1_000_000), '月'.repeat(50_000), ' '.repeat(1_000_000), "'".repeat(1_000_000)])
      terms('en', text);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
