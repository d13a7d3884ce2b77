import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { MAX_DIGITS, MAX_TEXT_LENGTH } from '../../xpath/limits.ts';
import { compileRegex } from '../../xpath/regex.ts';
import { indexOfText } from '../../xpath/search.ts';
import { FUNCTIONS } from './builtins.ts';
import { costOf, type FunctionContext, type FunctionDefinition } from './definition.ts';
import { MAX_SOLUTION_WORK, Work } from './work.ts';

/** More than any call within the limits takes on a machine that is shared, and far less than one without them. */
const MAX_CALL_MS = 5_000;

const LONG = 'a'.repeat(3_000_000);
const HALF = `${'a'.repeat(700_000)}b${'a'.repeat(700_000)}`;
const DIGITS = '7'.repeat(200_000);
const MOST_DIGITS = '7'.repeat(MAX_DIGITS);

/** Arguments that are enormous, alone and in pairs that make the most of one another. */
const HUGE: readonly RDF.Term[] = [
  stringLiteral(LONG),
  stringLiteral(HALF),
  stringLiteral('\u{1F600}'.repeat(1_000_000)),
  stringLiteral('\u00e9'.repeat(2_000_000)),
  stringLiteral(DIGITS),
  stringLiteral('../'.repeat(500_000)),
  languageLiteral(LONG, 'en'),
  typedLiteral(DIGITS, xsd.integer),
  typedLiteral(MOST_DIGITS, xsd.integer),
  typedLiteral(`0.${'7'.repeat(MAX_DIGITS - 2)}`, xsd.decimal),
  typedLiteral(`1.${DIGITS}`, xsd.decimal),
  typedLiteral(`1e${DIGITS}`, xsd.double),
  typedLiteral(`2020-01-01T00:00:00.${DIGITS}`, xsd.dateTime),
  typedLiteral(`PT1.${DIGITS}S`, xsd.dayTimeDuration),
  namedNode(`urn:${LONG}`),
  quad(blankNode('b'), namedNode('urn:p'), stringLiteral(LONG)),
];

/** Arguments beside a huge one: patterns, replacements, flags, positions. */
const BESIDE: readonly RDF.Term[] = [
  stringLiteral(HALF),
  stringLiteral('(a|aa|.*b)*c'),
  stringLiteral('a'),
  stringLiteral('$0$0$0$0$0$0$0$0'),
  typedLiteral('2', xsd.integer),
  typedLiteral(MOST_DIGITS, xsd.integer),
  namedNode('http://www.w3.org/2001/XMLSchema#string'),
];

function argumentLists({ minArgs, maxArgs }: FunctionDefinition): (readonly RDF.Term[])[] {
  const size = Math.max(minArgs, Math.min(maxArgs, 3));
  if (size === 0) return [[]];
  return HUGE.flatMap((huge) =>
    BESIDE.flatMap((beside, i) => {
      const next = BESIDE[(i + 1) % BESIDE.length] as RDF.Term;
      return [[huge, beside, next, stringLiteral('i')].slice(0, size)];
    }).concat([[huge, huge, huge].slice(0, size)]),
  );
}

/** The value, or undefined where the call was refused; how long it took. */
function attempt(definition: FunctionDefinition, args: readonly RDF.Term[]): { value?: RDF.Term; tookMs: number } {
  const work = new Work();
  const context: FunctionContext = {
    nowMs: 0,
    random: () => 0.5,
    baseIri: 'http://example.org/a/b/c',
    blankNode: () => blankNode('fresh'),
    spend: (steps) => work.spend(steps),
  };
  const startedMs = performance.now();
  try {
    work.spend(costOf(definition, args));
    const value = definition.call(args, context);
    return { value, tookMs: performance.now() - startedMs };
  } catch (error) {
    const isRefused = error instanceof ExpressionError || (error as { code?: string }).code === 'ERR_QUERY_WORK';
    if (!isRefused) throw error;
    return { tookMs: performance.now() - startedMs };
  }
}

describe('every function, operator and cast', () => {
  it.each([...FUNCTIONS.keys()])(
    '%s ends in time with a bounded value, whatever its arguments',
    (name) => {
      const definition = FUNCTIONS.get(name) as FunctionDefinition;
      const texts = new Set([...HUGE, ...BESIDE].map(({ value }) => value));
      for (const args of argumentLists(definition)) {
        const { value, tookMs } = attempt(definition, args);
        const call = `${name}(${args.map((term) => `${term.termType} ${term.value.slice(0, 20)}`).join(', ')})`;
        expect(tookMs, call).toBeLessThan(MAX_CALL_MS);
        const text = value?.value ?? '';
        expect(text.length <= MAX_TEXT_LENGTH || texts.has(text), call).toBe(true);
      }
    },
    240_000,
  );

  it.each(['+', '-', '*', '/'])('%s gives no number of more digits than can be computed with again', (operator) => {
    let value: RDF.Term = typedLiteral('7'.repeat(1_000), xsd.integer);
    for (let i = 0; i < 16; i++) {
      const next: RDF.Term | undefined = attempt(FUNCTIONS.get(operator) as FunctionDefinition, [value, value]).value;
      if (next === undefined) return;
      expect(next.value.length).toBeLessThanOrEqual(MAX_DIGITS + 20);
      value = next;
    }
  });

  it('doubles a text only as long as it may be', () => {
    let value: RDF.Term = stringLiteral('a');
    for (let i = 0; i < 64; i++) {
      const next: RDF.Term | undefined = attempt(FUNCTIONS.get('concat') as FunctionDefinition, [value, value]).value;
      if (next === undefined) break;
      value = next;
    }
    expect(value.value.length).toBe(MAX_TEXT_LENGTH);
  });

  it('nests a triple in itself only as long as it may be', () => {
    let value: RDF.Term = namedNode('urn:a');
    let depth = 0;
    for (; depth < 64; depth++) {
      const next: RDF.Term | undefined = attempt(FUNCTIONS.get('triple') as FunctionDefinition, [
        value,
        namedNode('urn:p'),
        value,
      ]).value;
      if (next === undefined) break;
      value = next;
    }
    expect(depth).toBeLessThan(20);
  });
});

describe('patterns', () => {
  const COUNTS = Array.from({ length: 300 }, (_, i) => `(a{1,${20 + (i % 10)}}b${i})`).join('|');

  it.each([
    ['many alternatives with counts', COUNTS],
    ['counts one after the other', 'a{1,1000}'.repeat(500)],
    ['a long one', 'ab|'.repeat(100_000)],
  ])('that are too large are refused before they are compiled: %s', (_, pattern) => {
    expect(() => compileRegex(pattern, '')).toThrow(ExpressionError);
  });

  it('of the usual size are compiled', () => {
    for (const pattern of ['^[A-Z]{2,8}-\\d{1,6}$', '(?:foo|bar){1,20}', '\\w{1,1000}', '[{]{3}|\\{2,3\\}']) {
      expect(compileRegex(pattern, 'i').test('')).toBe(false);
    }
  });

  it('that make a replacement quadratic are stopped', () => {
    expect(() => compileRegex('a.*b|a', '').replace('a'.repeat(60_000), 'x')).toThrow(ExpressionError);
    expect(compileRegex('[a-z]+', '').replace('hello '.repeat(20_000), 'x')).toBe('x '.repeat(20_000));
  });

  it('tell what they took', () => {
    let steps = 0;
    compileRegex('(a|b)+[cd]', '').test('ab'.repeat(20_000), (taken) => {
      steps += taken;
    });
    expect(steps).toBeGreaterThan(1_000);
  });
});

describe('the search for a text', () => {
  it('finds what the engine finds, in texts of few letters', () => {
    let seed = 1;
    const random = (bound: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % bound;
    };
    for (let round = 0; round < 200; round++) {
      const letters = (length: number): string => Array.from({ length }, () => 'ab'[random(2)]).join('');
      const part = letters(1_000 + random(200));
      const text = letters(1_000 + random(500)) + (random(2) === 0 ? part : '') + letters(random(500));
      expect(indexOfText(text, part)).toBe(text.indexOf(part));
    }
  });
});

describe('the work of one solution', () => {
  it('is limited, and counted anew for the next', () => {
    const work = new Work(100);
    work.spend(100);
    work.beginSolution();
    work.spend(100);
    expect(() => work.spend(1)).toThrowError(expect.objectContaining({ code: 'ERR_QUERY_WORK', kind: 'exhausted' }));
    expect(MAX_SOLUTION_WORK).toBeLessThanOrEqual(10_000_000);
  });
});
