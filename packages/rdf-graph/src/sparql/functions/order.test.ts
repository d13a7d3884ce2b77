import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { valueCompare } from './comparison.ts';
import { compareForOrder } from './order.ts';

const lexical = fc.constantFrom(
  '1',
  '01',
  '1.0',
  '2',
  '-3',
  '1e1',
  'NaN',
  'INF',
  '9007199254740993',
  'x',
  '2020-01-01',
);
const datatype = fc.constantFrom(xsd.integer, xsd.decimal, xsd.float, xsd.double, xsd.date, xsd.boolean, 'http://e/t');
const term: fc.Arbitrary<RDF.Term | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.string({ maxLength: 2 }).map(stringLiteral),
  fc.constantFrom('a', 'b').map((value) => languageLiteral(value, 'en')),
  fc.constantFrom('a', 'b').map(blankNode),
  fc.constantFrom('http://e/a', 'http://e/b').map(namedNode),
  fc.tuple(lexical, datatype).map(([value, type]) => typedLiteral(value, type)),
  fc.constantFrom('P1M', 'P30D', 'PT0S', '-P1Y').map((value) => typedLiteral(value, xsd.duration)),
  fc.constantFrom('a', 'b').map((value) => quad(namedNode(value), namedNode('p'), stringLiteral(value))),
);

describe('compareForOrder', () => {
  it('puts unbound before blank nodes before IRIs before literals before triple terms', () => {
    // Wrapped, for Array#sort never asks about undefined.
    const sorted = [
      undefined,
      blankNode('z'),
      namedNode('http://e/y'),
      stringLiteral('x'),
      quad(namedNode('a'), namedNode('b'), namedNode('c')),
    ].map((value) => ({ value }));
    expect([...sorted].reverse().sort((a, b) => compareForOrder(a.value, b.value))).toEqual(sorted);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(term, term, term, (a, b, c) => {
        const ab = compareForOrder(a, b);
        expect(Number.isNaN(ab)).toBe(false);
        expect(Math.sign(compareForOrder(b, a)) + Math.sign(ab)).toBe(0);
        if (ab <= 0 && compareForOrder(b, c) <= 0) expect(compareForOrder(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with < wherever that has an answer, but for rounding of doubles', () => {
    fc.assert(
      fc.property(term, term, (a, b) => {
        fc.pre(a !== undefined && b !== undefined);
        const order = compareByOperator(a, b);
        if (order === undefined || Number.isNaN(order) || order === 0) return;
        expect(Math.sign(compareForOrder(a, b))).toBe(Math.sign(order));
      }),
      { numRuns: 2000 },
    );
  });
});

function compareByOperator(a: RDF.Term, b: RDF.Term): number | undefined {
  try {
    return valueCompare(a, b);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
