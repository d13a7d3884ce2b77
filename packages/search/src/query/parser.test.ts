import { isCodedError } from '@cairn/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './parser.ts';
import { compileRegExp } from './regexp.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 100_000 : 3000;

/** Pieces that operators are made of, so that random texts come near every rule. */
const PIECES = [
  'AND',
  'OR',
  'NOT',
  '&&',
  '||',
  '+',
  '-',
  '!',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ' TO ',
  '"',
  '~',
  '^',
  ':',
  '\\',
  '/',
  '*',
  '?',
  '>=',
  '<',
  'a',
  'word',
  ' ',
  '1',
  '2.5',
  '_exists_:',
  '\\u0041',
  '://',
  'é',
  '\ud800',
  '月',
];

describe('parseQuery', () => {
  it.each([
    ['a b', { type: 'boolean', clauses: [should('a'), should('b')] }],
    ['wi-fi', term('wi-fi')],
    ['-a', { type: 'boolean', clauses: [{ occur: 'mustNot', query: term('a') }] }],
    [
      '+a -b',
      {
        type: 'boolean',
        clauses: [
          { occur: 'must', query: term('a') },
          { occur: 'mustNot', query: term('b') },
        ],
      },
    ],
    [
      'a AND b',
      {
        type: 'boolean',
        clauses: [
          { occur: 'must', query: term('a') },
          { occur: 'must', query: term('b') },
        ],
      },
    ],
    ['f:a', { ...term('a'), field: 'f' }],
    ['http://e.org/a', term('http://e.org/a')],
    ['a\\:b', term('a:b')],
    ['"a b"~2', { type: 'phrase', field: undefined, text: 'a b', slop: 2 }],
    ['a^2', { type: 'boost', query: term('a'), boost: 2 }],
    ['a~1', { type: 'fuzzy', field: undefined, text: 'a', distance: 1 }],
    ['*:*', { type: 'all' }],
    ['f:*', { type: 'exists', field: 'f' }],
    ['_exists_:f', { type: 'exists', field: 'f' }],
    ['f:>=3', { type: 'range', field: 'f', lower: { value: '3', inclusive: true } }],
    ['[a TO b}', range('a', 'b')],
    ['ANDY', term('ANDY')],
  ])('reads %s', (text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  it.each([
    ['(a', 2, [')']],
    ['"a', 0, ['"']],
    ['a AND', 5, ['a word', 'a phrase', 'a field', '(']],
    ['f:[a b]', 5, ['TO']],
    ['a^x', 2, ['a number from 0 to 1000000']],
    ['a~7', 2, ['0', '1', '2']],
    ['/a(/', 3, [')']],
  ])('says where %s goes wrong', (text, offset, expected) => {
    const error = failure(() => {
      const query = parseQuery(text);
      if (query.type === 'regexp') compileRegExp(query.pattern, text, query.offset);
    });
    expect(error).toMatchObject({ code: 'ERR_QUERY_SYNTAX', kind: 'invalid', position: { offset }, expected });
  });

  it('throws nothing but its syntax error, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((p) => p.join('')),
    );
    fc.assert(
      fc.property(text, (query) => isFine(() => parseQuery(query))),
      { numRuns: RUNS },
    );
  });

  it('refuses what is too long or nests too deep, at once', () => {
    for (const text of [
      '('.repeat(30_000),
      'a:'.repeat(10_000),
      'a '.repeat(40_000),
      'NOT '.repeat(8000),
      '-'.repeat(30_000),
      'a OR '.repeat(6000),
    ]) {
      const started = process.cpuUsage();
      expect(isFine(() => parseQuery(text))).toBe(true);
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
    }
  });
});

describe('compileRegExp', () => {
  it('agrees with the built-in expressions on their common part', () => {
    const atoms = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(ab)',
      '\\.',
      'a*',
      'b+',
      '(a|b)?',
      'a{1,2}',
      '.*',
    );
    const pattern = fc.array(atoms, { maxLength: 6 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(compileRegExp(source, source, 0)(subject)).toBe(new RegExp(`^(?:${source})$`, 'u').test(subject));
      }),
      { numRuns: RUNS },
    );
  });

  it('takes time in proportion to the text where backtracking would explode', () => {
    const started = process.cpuUsage();
    expect(compileRegExp('(a*)*(a|aa)+b', '', 0)('a'.repeat(500))).toBe(false);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });

  it('refuses what is too large to run, at once', () => {
    for (const source of [
      `a${'*'.repeat(30_000)}`,
      '((a{1000}){1000}){1000}',
      '('.repeat(30_000),
      'a'.repeat(30_000),
    ]) {
      expect(isFine(() => compileRegExp(source, source, 0))).toBe(true);
    }
  });

  it('throws nothing but its syntax error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 10 }), (source, text) => {
        return isFine(() => compileRegExp(source, source, 0)(text));
      }),
      { numRuns: RUNS },
    );
  });
});

function term(text: string): object {
  return { type: 'term', field: undefined, text };
}

function should(text: string): object {
  return { occur: 'should', query: term(text) };
}

function range(lower: string, upper: string): object {
  return {
    type: 'range',
    field: undefined,
    lower: { value: lower, inclusive: true },
    upper: { value: upper, inclusive: false },
  };
}

function failure(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

function isFine(work: () => unknown): boolean {
  const error = failure(work);
  return error === undefined || (isCodedError(error) && error.code === 'ERR_QUERY_SYNTAX');
}
