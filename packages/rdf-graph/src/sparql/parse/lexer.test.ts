import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import sparqljs from 'sparqljs';
import { describe, expect, it } from 'vitest';
import { EOF, nameOf } from './grammar.ts';
import { INVALID, Lexer } from './lexer.ts';
import { listWords } from './words.ts';

/** The lexer that sparqljs was generated with: the oracle. */
interface OwnLexer {
  readonly yytext: string;
  setInput(text: string, shared: object): void;
  lex(): number | string;
}

const { lexer: prototype, symbols_: symbols } = Object.getPrototypeOf(new sparqljs.Parser()) as {
  lexer: OwnLexer;
  symbols_: Record<string, number>;
};

const MAX_TOKENS = 20_000;

function* oracleTokens(text: string): Generator<string> {
  const lexer: OwnLexer = Object.create(prototype);
  lexer.setInput(text, {});
  for (let i = 0; i < MAX_TOKENS; i++) {
    const token = lexer.lex();
    const symbol = typeof token === 'number' ? token : symbols[token];
    if (symbol === undefined) return yield 'INVALID';
    if (symbol === EOF) return yield 'EOF';
    yield `${nameOf(symbol)} ${lexer.yytext}`;
  }
}

function* ourTokens(text: string): Generator<string> {
  const lexer = new Lexer(text);
  for (let i = 0; i < MAX_TOKENS; i++) {
    const symbol = lexer.next();
    if (symbol === INVALID) return yield 'INVALID';
    if (symbol === EOF) return yield 'EOF';
    yield `${nameOf(symbol)} ${lexer.tokenOf(symbol)}`;
  }
}

function compare(text: string): void {
  expect([...ourTokens(text)], JSON.stringify(text)).toEqual([...oracleTokens(text)]);
}

function queryTexts(): string[] {
  const suites = process.env['W3C_SUITES'];
  if (suites === undefined) return [];
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' }).filter((file) => /\.r[qu]$/.test(file));
  return files.map((file) => readFileSync(path.join(suites, file), 'utf8'));
}

const WORDS = [...listWords()].map(([word]) => word);
const PIECES =
  `{ } ( ) [ ] () [ \t] . ; , * / | || |} {| ^ ^^ ? ! != = < <= <> << >> > >= & && + - -- _ _: _:a _:a.b. _:1
  ?x $y ?1 ?é ?a·b ?_ $ @en @en-GB @en- @ <http://e/> <a b> <a <a> <é> <"> :a : a: a:b a.b:c a.b. a.: a:b. a:b.c a:.
  a:b-c a:%41 a:%4 a:\\- a:\\: a:b\\~. é:ü é ё 😀 a:😀b ?😀 \uD800 1 1. 1.5 .5 . 1e5 1.e5 1.5E-7 .5e1 e1 E+1 1e +1 -1.5
  +.5e1 -e1 "a" "" 'b' '' """a""" '''b''' """a"b""c""" '''a''b'' "a\\nb" "\\u0041" "\\U00000041" "\\x" "a\nb" '''a\nb'''
  """ ''' " ' \\ # #comment\n \u00B5 \u0345 \u037E \u2028 \u0000 ~ % true false a`
    .split(/ (?![^<]*b>)|\n {2}/)
    .concat([
      'INSERT DATA',
      'delete  data',
      'DELETE WHERE',
      'INSERT #c\n DATA',
      'DELETEDATA',
      'group by',
      ' ',
      '\n',
      '\t',
    ]);

const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.constantFrom(...WORDS).chain((word) => fc.constantFrom(word, word.toUpperCase(), `${word}x`, word.slice(0, -1))),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.string({ unit: fc.constantFrom(...'aAeE.:-_019éǅ·\\%<>"\'?#@ '), maxLength: 8 }),
);

/** White space that the standard's ranges of letters hold, too: white space here, either one there. */
const SPACES_IN_NAMES = /[\u1680\uFEFF]/;

describe('the lexer', () => {
  it('gives the tokens of the lexer that it stands in for, on the queries of the test suites', () => {
    for (const text of queryTexts()) compare(text);
  });

  it('gives the same tokens on whatever pieces stand side by side', () => {
    const soup = fc.array(fc.tuple(piece, fc.constantFrom('', '', ' ')), { maxLength: 8 });
    fc.assert(
      fc.property(soup, (pieces) => {
        const source = pieces.flat().join('');
        fc.pre(!SPACES_IN_NAMES.test(source));
        compare(source);
      }),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 1000 : 100_000 },
    );
  });

  it('takes every word for what the grammar calls it', () => {
    for (const [word, name] of listWords()) {
      expect([...ourTokens(word)]).toEqual([`${name} ${word}`, 'EOF']);
    }
  });

  it('refuses escapes in the wrong case, and takes comments of either line end between INSERT and DATA', () => {
    expect([...ourTokens('"\\T"')]).toEqual(['INVALID']);
    expect([...ourTokens('"\\U0041"')]).toEqual(['INVALID']);
    expect([...ourTokens('INSERT # c\r\n DATA')]).toEqual(['INSERTDATA INSERT # c\r\n DATA', 'EOF']);
  });

  it('needs time in proportion to the text, whatever it is', () => {
    const size = 1 << 18;
    for (const unit of [
      'true',
      'a',
      '(',
      '"',
      "'''",
      '<a',
      'a.',
      'a:.',
      '_:',
      'INSERT ',
      ' ',
      '#',
      '\\',
      '1.',
      '@a-',
      '?',
    ]) {
      const text = unit.repeat(size / unit.length);
      const before = process.cpuUsage();
      const lexer = new Lexer(text);
      for (let symbol = lexer.next(); symbol !== EOF; symbol = lexer.next());
      // Its own work, so that others on the machine do not count.
      expect(process.cpuUsage(before).user / 1000, unit).toBeLessThan(5000);
    }
  });
});
