import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashUnits } from './surface-hash.ts';
import { TokenScanner } from './token-scanner.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 200_000 : 3000;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function scan(text: string): string[] {
  const scanner = new TokenScanner();
  const forms: string[] = [];
  scanner.open(text);
  while (scanner.next()) {
    expect(scanner.hash).toBe(hashUnits(text, scanner.start, scanner.end));
    forms.push(text.slice(scanner.start, scanner.end));
  }
  return forms;
}

/** The same by regular expressions. */
function cut(text: string): string[] {
  const runs = text.split(/(?:\s|(?![\ud800-\udfff])\p{Pd})+/u);
  const forms = runs.map((run) => run.replace(/^[^\p{L}\p{M}\p{N}_]+/u, '').replace(/[^\p{L}\p{M}\p{N}_]+$/u, ''));
  return forms.flatMap((form) => (UNSPACED.test(form) ? segments(form) : form === '' ? [] : [form]));
}

function segments(form: string): string[] {
  const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(form);
  return [...words].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

describe('the token scanner', () => {
  it('cuts as splitting and trimming by regular expressions would', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        ' ',
        '-',
        '–',
        "'",
        '.',
        'a',
        'é',
        'Ж',
        '月',
        'の',
        'ไ',
        '🎉',
        '𠀀',
        '_',
        '7',
        '\u0301',
        '\u00a0',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    );
    const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (value) => {
        expect(scan(value)).toEqual(cut(value));
      }),
      { numRuns: RUNS },
    );
  });

  it('is ready for the next text whatever was left of the last', () => {
    const scanner = new TokenScanner();
    scanner.open('日本語のテキスト');
    scanner.next();
    scanner.open('one');
    expect([scanner.next(), scanner.start, scanner.end, scanner.next()]).toEqual([true, 0, 3, false]);
  });

  it('passes over any number of runs without a letter', () => {
    expect(scan('🎉 '.repeat(200_000))).toEqual([]);
    expect(scan("' ".repeat(200_000))).toEqual([]);
  });

  it('gives no form of an empty text', () => {
    expect(scan('')).toEqual([]);
  });
});
