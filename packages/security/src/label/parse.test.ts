import { isCodedError } from '@cairn/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writtenLabel } from '../testing/labels.ts';
import { runs } from '../testing/runs.ts';
import { formatLabel } from './format.ts';
import type { Label, LabelExpression } from './label.ts';
import { parseLabel } from './parse.ts';

const test = (attribute: string, relation: '=' | '!=', value: string): LabelExpression => ({
  kind: 'test',
  attribute,
  relation,
  value,
});
const all = (...items: LabelExpression[]): LabelExpression => ({ kind: 'all', items });
const any = (...items: LabelExpression[]): LabelExpression => ({ kind: 'any', items });
const list = (...items: LabelExpression[]): Label => ({ kind: 'list', items });
const [a, b, c] = [test('a', '=', 'true'), test('b', '=', 'true'), test('c', '=', 'true')] as const;

const READ: readonly (readonly [string, Label])[] = [
  ['*', { kind: 'everyone' }],
  [' ! ', { kind: 'nobody' }],
  ['', list()],
  [' \t\r\n', list()],
  ['a', a],
  ['a=true', a],
  ['((a))', a],
  ['a=1', test('a', '=', '1')],
  ['a != -1.5e+3', test('a', '!=', '-1.5e+3')],
  ['5=6', test('5', '=', '6')],
  ['_x:y.z+w-1 = v', test('_x:y.z+w-1', '=', 'v')],
  ['urn:telicent:groups:g1:and', test('urn:telicent:groups:g1:and', '=', 'true')],
  ['\u00e9t\u00e9=\ud835\udc9cx', test('\u00e9t\u00e9', '=', '\ud835\udc9cx')],
  [`'a b' = "c\\"\\u0041\\U0001F600\\t"`, test('a b', '=', 'c"A\u{1F600}\t')],
  ["a=''", test('a', '=', '')],
  ["'*'", test('*', '=', 'true')],
  ['a&b|c', any(all(a, b), c)],
  ['a|b&&c', any(a, all(b, c))],
  ['(a||b)&c', all(any(a, b), c)],
  ['a&(b&c)', all(a, all(b, c))],
  ['a,b', list(a, b)],
  ['a|b,c', list(any(a, b), c)],
];

const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  [',a', 0, /must not begin with a comma/],
  ['a,', 2, /must not end with a comma/],
  [',', 0, /must not begin with a comma/],
  ['a,,b', 2, /unexpected ,/],
  ['a,*', 2, /\* stands only as the whole label/],
  ['!,a', 1, /expected the end/],
  ['*&a', 1, /expected the end/],
  ['(*)', 1, /\* stands only as the whole label/],
  ['a|!', 2, /! stands only as the whole label/],
  ['a<5', 1, /relation < is not supported; use = or !=/],
  ['a<=5', 1, /relation <= /],
  ['a>5', 1, /relation > /],
  ['a>=5', 1, /relation >= /],
  ['a==5', 1, /relation == /],
  ['a=', 2, /expected a value/],
  ['a=(b)', 2, /expected a value/],
  ['=a', 0, /expected an attribute/],
  ['a b', 2, /unexpected word/],
  ['a-', 1, /unexpected character "-"/],
  ['a:=b', 1, /unexpected character ":"/],
  ['a.', 1, /unexpected character "\."/],
  ['-a', 0, /unexpected character/],
  ['(a', 2, /expected \)/],
  ['a)', 1, /unexpected \)/],
  ['()', 1, /expected an attribute/],
  ['a&', 2, /expected an attribute/],
  ['1abc', 1, /unexpected word/],
  ['a;b', 1, /unexpected character ";"/],
  ["'a", 2, /not closed/],
  ['"a\n"', 2, /not closed/],
  ["'\\x'", 1, /unknown escape/],
  ["'\\u12G4'", 1, /4 hexadecimal digits/],
  ["'\\uD800'", 1, /Unicode character/],
  ["'\\U00110000'", 1, /8 hexadecimal digits/],
  ["'\ud800'", 1, /surrogate/],
  ["''=a", 0, /must have a name/],
  ['\u0000', 0, /unexpected character/],
];

describe('parseLabel', () => {
  it.each(READ)('reads %j', (text, label) => {
    expect(parseLabel(text)).toEqual(label);
  });

  it.each(REFUSED)('refuses %j at offset %i', (text, offset, message) => {
    expect(() => parseLabel(text)).toThrow(
      expect.objectContaining({
        code: 'ERR_LABEL_SYNTAX',
        kind: 'invalid',
        message: expect.stringMatching(message),
        position: expect.objectContaining({ offset }),
        expected: expect.arrayContaining([expect.any(String)]),
      }),
    );
  });

  it('refuses what is too long or nests too deep, and reads what is just within', () => {
    const tooLarge = expect.objectContaining({ code: 'ERR_LABEL_TOO_LARGE', kind: 'too-large' });
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(() => parseLabel('a'.repeat(65_537))).toThrow(tooLarge);
    expect(() => parseLabel('('.repeat(65_000))).toThrow(tooLarge);
    expect(() => parseLabel(nested(101))).toThrow(tooLarge);
    expect(() => parseLabel(`${nested(100)},b`)).toThrow(tooLarge);
    expect(parseLabel(nested(100))).toEqual(a);
    expect(parseLabel(`a${'|a'.repeat(32_767)}`)).toMatchObject({ kind: 'any' });
  });

  it('gives a tree that nobody can change', () => {
    const label = parseLabel('a&(b|c)') as unknown as { items: unknown[] };
    expect(() => label.items.push(a)).toThrow(TypeError);
    expect(Object.isFrozen(label.items[1])).toBe(true);
  });

  it('lets only its own errors escape on hostile text', () => {
    const piece = fc.constantFrom(
      ...['a', '_', '1', '.', ':', '-', '+', '=', '!=', '!', '*', '&', '&&', '|', '(', ')', ',', ' ', "'", '"'],
      ...['\\', '\\u00', '\\U0001', '<', '>=', '\n', '\ud800', '\u{1F600}', '\u0301', '\u0000', 'e5', '9'],
    );
    const hostile = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const label = parsedOrUndefined(text);
        if (label !== undefined) expect(parseLabel(formatLabel(label))).toEqual(label);
      }),
      runs(20_000, 1_000_000),
    );
  });
});

describe('formatLabel', () => {
  it('writes what parses to the same tree', () => {
    fc.assert(
      fc.property(writtenLabel, ({ text }) => {
        const label = parseLabel(text);
        const formatted = formatLabel(label);
        expect(parseLabel(formatted)).toEqual(label);
        expect(formatLabel(parseLabel(formatted))).toBe(formatted);
      }),
      runs(2000, 100_000),
    );
  });

  it('quotes only what is no plain word or number', () => {
    expect(formatLabel(parseLabel(`'a'="5"&"b c"!='d'`))).toBe('a=5&"b c"!=d');
    expect(formatLabel(parseLabel(`"a."='\\u0000"'`))).toBe('"a."="\\u0000\\""');
  });
});

function parsedOrUndefined(text: string): Label | undefined {
  try {
    return parseLabel(text);
  } catch (error) {
    if (!isCodedError(error) || !/^ERR_LABEL_/.test(error.code)) throw error;
    return undefined;
  }
}
