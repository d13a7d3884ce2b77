import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { blankNode, languageLiteral, namedNode, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { type AggregateName, type AggregateOptions, createAggregate } from './aggregate.ts';

const integer = (value: number): RDF.Literal => typedLiteral(String(value), xsd.integer);
const decimal = (value: string): RDF.Literal => typedLiteral(value, xsd.decimal);

function aggregate(
  name: AggregateName,
  terms: readonly (RDF.Term | undefined)[],
  options?: AggregateOptions,
): string | undefined {
  const accumulator = createAggregate(name, options);
  for (const term of terms) accumulator.add(term);
  try {
    return accumulator.result().value;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

const ALL: AggregateName[] = ['count', 'sum', 'avg', 'min', 'max', 'sample', 'group_concat'];

describe('createAggregate', () => {
  it('gives each aggregate its value over no solutions', () => {
    expect(ALL.map((name) => aggregate(name, []))).toEqual(['0', '0', '0', undefined, undefined, undefined, '']);
  });

  it('lets an error through in all but COUNT and SAMPLE', () => {
    const terms = [integer(3), undefined, integer(5)];
    expect(ALL.map((name) => aggregate(name, terms))).toEqual([
      '2',
      undefined,
      undefined,
      undefined,
      undefined,
      '3',
      undefined,
    ]);
  });

  it('sums and averages exactly and with promotion', () => {
    expect(aggregate('sum', [decimal('0.1'), decimal('0.2'), integer(1)])).toBe('1.3');
    expect(aggregate('avg', [integer(1), integer(2)])).toBe('1.5');
    expect(aggregate('avg', [decimal('1.0'), decimal('2.0'), decimal('2.2')])).toBe('1.733333333333333333');
    expect(aggregate('sum', [integer(1), typedLiteral('1.5', xsd.double)])).toBe('2.5E0');
  });

  it('sums only numbers', () => {
    expect(aggregate('sum', [integer(1), stringLiteral('2')])).toBeUndefined();
    expect(aggregate('avg', [namedNode('http://e/a')])).toBeUndefined();
  });

  it('takes the extremes of any terms in the order of ORDER BY', () => {
    const terms = [integer(2), stringLiteral('b'), namedNode('http://e/a'), decimal('10.0'), blankNode('x')];
    expect(aggregate('min', terms)).toBe('x');
    expect(aggregate('max', terms)).toBe('10.0');
  });

  it('counts, sums and joins each distinct term once', () => {
    const terms = [integer(1), integer(1), typedLiteral('01', xsd.integer), integer(2)];
    const distinct = { distinct: true };
    expect(aggregate('count', terms, distinct)).toBe('3');
    expect(aggregate('sum', terms, distinct)).toBe('4');
    expect(aggregate('group_concat', terms, { ...distinct, separator: ',' })).toBe('1,01,2');
  });

  it('joins text with a space or the given separator', () => {
    const terms = [stringLiteral('a'), languageLiteral('b', 'en'), namedNode('http://e/c')];
    expect(aggregate('group_concat', terms)).toBe('a b http://e/c');
    expect(aggregate('group_concat', terms, { separator: '' })).toBe('abhttp://e/c');
  });
});
