import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashUnits } from './surface-table.ts';
import { BIGRAM, CHARACTER, COMPOUND, EXACT, PART } from './token-kind.ts';
import { TokenScanner } from './token-scanner.ts';
import { openSegmenter } from './word-segments.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 200_000 : 4000;

interface Token {
  readonly surface: string;
  readonly start: number;
  readonly kind: number;
}

function scan(text: string): Token[] {
  const scanner = new TokenScanner();
  const tokens: Token[] = [];
  scanner.open(text);
  while (scanner.next()) {
    const { start, end, hash, kind } = scanner;
    expect(hash).toBe(hashUnits(text, start, end));
    tokens.push({ surface: text.slice(start, end), start, kind });
  }
  return tokens;
}

function surfaces(text: string, kind: number): string[] {
  return scan(text)
    .filter((token) => token.kind === kind)
    .map(({ surface }) => surface);
}

const segmenter = openSegmenter();
/** Where we part letters and Unicode does not, on purpose. */
const PARTING =
  /(?<![\p{Nd}\p{M}\p{Cf}\p{Emoji_Modifier}])[.:\u2024\ufe13\ufe52\ufe55\uff0e\uff1a]|[.:\u2024\ufe13\ufe52\ufe55\uff0e\uff1a](?![\p{Nd}\p{M}\p{Cf}\p{Emoji_Modifier}])|:|(?<=[\p{L}\p{Nl}][\p{M}\p{Cf}\p{Emoji_Modifier}]*)[.]/u;

/** The words of a text by the runtime's own word boundaries. */
function segment(text: string): string[] {
  return [...segmenter.segment(text)]
    .flatMap(({ segment: word }) => word.split(PARTING))
    .map((word) => word.replace(/^[\p{M}\p{Cf}\p{Emoji_Modifier}]+/u, ''))
    .map((word) =>
      word.replace(/(?<=\p{sc=Hebrew}[\p{M}\p{Cf}\p{Emoji_Modifier}]*)'[\p{M}\p{Cf}\p{Emoji_Modifier}]*$/u, ''),
    )
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/**
 * Characters that are compared: of every kind of word boundary. Left out are those where we differ on purpose: numbers
 * that are no digits are digits to us, modifier symbols and punctuation of single scripts are no letters, a narrow
 * no-break space is a space, no apostrophe ends a Hebrew word, a joiner makes no emoji part of a word, and a lone surrogate is nothing; and letters where
 * `Intl.Segmenter` departs from UAX #29: it cuts Hangul by a dictionary, too.
 */
const UNIT = fc.oneof(
  fc.constantFrom(...' \t\n-–—.,:;\'"’‘·‧!?/@#_&+*()[]{}<>«»…“”€$%'),
  fc.constantFrom(...'aZéßЖжשאבג\u05f4عك٣ا', ...'019', '०', '𝐀', '𝟗', 'ⅷ', 'ª'),
  fc.constantFrom('\u0301', '\u20e3', '\ufe0f', '\u200c', '\u00ad', '\u2060', '\u200b', '\u00a0'),
  fc.constantFrom('🎉', '👩', '🏽', '🇩', '🇪', '❤', '☕'),
);

describe('the token scanner', () => {
  it('joins Hebrew letters at a double quote, whatever marks stand before it', () => {
    for (const mark of ['', '\u05b0', '\u200d', '\u{1f3fd}', '\u{1f3fd}\u05b0', '\u{e0100}']) {
      const word = `ב${mark}"ש`;
      expect(surfaces(word, PART)).toEqual([word]);
    }
    expect(surfaces('\u{1f3fd}"ש', PART)).toEqual(['ש']);
  });

  it('parts words where Unicode has word boundaries', () => {
    const text = fc.array(UNIT, { maxLength: 24 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (value) => {
        expect(surfaces(value, PART).filter((surface) => /[\p{L}\p{N}]/u.test(surface))).toEqual(segment(value));
      }),
      { numRuns: RUNS, examples: [['9🏽.٣'], ['a🏽.b'], ['ⅷ🏽.\u0301a']] },
    );
  });

  it('leaves scripts without spaces to the segmenter, but for Chinese characters and kana', () => {
    const unit = fc.constantFrom('ไ', 'ท', 'ย', 'ລ', 'າ', 'မ', 'ြ', 'ក', 'ខ', ' ', '。', '7', 'a');
    const text = fc.array(unit, { maxLength: 24 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const runs = value.split(/[ 。]/);
        expect(surfaces(value, PART)).toEqual(runs.flatMap(segment));
      }),
      { numRuns: RUNS / 4 },
    );
    expect(surfaces('PC방 𠀀', PART)).toEqual(['PC방', '𠀀']);
  });

  it('follows each Chinese character and kana with the two that it ends', () => {
    const unit = fc.constantFrom('月', '面', 'の', 'カ', 'ー', '𠀀', 'か\u3099', 'ｶﾞ', ' ', '。', '7', 'a', 'ไ');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 24 }), (units) => {
        const isCut = (character: string | undefined): boolean => !' 。7aไ'.includes(character ?? ' ');
        const lone = units.filter((character, i) => isCut(character) && !isCut(units[i - 1]) && !isCut(units[i + 1]));
        const others = units.filter((character, i) => isCut(character) && (isCut(units[i - 1]) || isCut(units[i + 1])));
        const pairs = units.flatMap((character, i) => {
          return isCut(character) && isCut(units[i + 1]) ? [character + units[i + 1]] : [];
        });
        const value = units.join('');
        expect(surfaces(value, PART).filter((surface) => isCut(surface[0]))).toEqual(lone);
        expect(surfaces(value, CHARACTER)).toEqual(others);
        expect(surfaces(value, BIGRAM)).toEqual(pairs);
      }),
      { numRuns: RUNS / 4 },
    );
    expect(scan('東京都')).toEqual([
      { surface: '東', start: 0, kind: CHARACTER },
      { surface: '京', start: 1, kind: CHARACTER },
      { surface: '東京', start: 0, kind: BIGRAM },
      { surface: '都', start: 2, kind: CHARACTER },
      { surface: '京都', start: 1, kind: BIGRAM },
    ]);
  });

  it('keeps together what is one word, and parts what punctuation joins', () => {
    const parts: readonly (readonly [text: string, parts: string])[] = [
      ['left,right', 'left right'],
      ['a.b', 'a b'],
      ['"quoted"word', 'quoted word'],
      ['x/y', 'x y'],
      ['name@host', 'name host'],
      ['one\u200btwo', 'one two'],
      ["don't", "don't"],
      ['don’t', 'don’t'],
      ["rock'n'roll", "rock'n'roll"],
      ["'tis the dogs' bowl'", 'tis the dogs bowl'],
      ['3.14 1,000 12:30', '3.14 1,000 12 30'],
      ['end.Begin', 'end Begin'],
      ['snake_case __init__ ___', 'snake_case __init__'],
      ['l·lama', 'l·lama'],
      ['H₂O', 'H₂O'],
      ['(a)(b)[c]{d}<e>', 'a b c d e'],
      ['one…two—three', 'one two three'],
      ['http://example.org/a-b?q=1', 'http example org a b q 1'],
    ];
    for (const [text, expected] of parts) expect(surfaces(text, PART), text).toEqual(expected.split(' '));
  });

  it('follows the parts of a compound with the whole', () => {
    const wholes: readonly (readonly [text: string, wholes: readonly string[]])[] = [
      ['see wi-fi.', ['wi-fi']],
      ['<jane.doe@example.org>,', ['jane.doe@example.org']],
      ['report-1.pdf, notes.txt', ['report-1.pdf', 'notes.txt']],
      ['at http://example.org/a/b.', ['http://example.org/a/b']],
      ['left,right (x) end. Begin', []],
      [`${'long-'.repeat(100)}word`, []],
      ['wi-', []],
    ];
    for (const [text, expected] of wholes) expect(surfaces(text, COMPOUND), text).toEqual(expected);
    expect(scan('a-b c').map(({ surface, kind }) => [surface, kind])).toEqual([
      ['a', PART],
      ['b', PART],
      ['a-b', COMPOUND],
      ['c', PART],
    ]);
  });

  it('knows acronyms and names that end in a sign', () => {
    expect(surfaces('the U.S.A. and U.S. or e.g. this', EXACT)).toEqual(['U.S.A', 'U.S', 'e.g']);
    expect(surfaces('C++, C# or F#; not a+b, #tag, issue#4, C#5', EXACT)).toEqual(['C++', 'C#', 'F#']);
  });

  it('gives tokens in the order of their ends, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(UNIT).map((units) => units.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        let last = 0;
        for (const { surface, start } of scan(value)) {
          expect(surface).not.toBe('');
          expect(start + surface.length).toBeGreaterThanOrEqual(last);
          last = start + surface.length;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('is ready for the next text whatever was left of the last', () => {
    const scanner = new TokenScanner();
    for (const left of ['日本語のテキスト', 'a-b-c', 'C++']) {
      scanner.open(left);
      scanner.next();
      scanner.open('one');
      expect([scanner.next(), scanner.start, scanner.end, scanner.next()]).toEqual([true, 0, 3, false]);
    }
  });

  it('passes over any number of runs without a letter', () => {
    for (const run of ['🎉 ', "' ", '_ ', '\u0301', '-', '__-']) expect(scan(run.repeat(200_000))).toEqual([]);
  });

  it('gives no form of an empty text', () => {
    expect(scan('')).toEqual([]);
  });
});

describe('a word that nobody looks for', () => {
  it.each(['letters', '0123456789', 'ÀB', 'aB', '𝐀𝐁', 'e\u0301'])('is cut after 65,536 units: %s', (unit) => {
    const text = unit.repeat(200_000 / unit.length);
    const tokens = scan(text);
    expect(tokens.map(({ surface }) => surface).join('')).toBe(text);
    expect(tokens.length).toBeGreaterThan(2);
    for (const { surface } of tokens) expect(surface.length).toBeLessThanOrEqual(65_537);
  });
});
