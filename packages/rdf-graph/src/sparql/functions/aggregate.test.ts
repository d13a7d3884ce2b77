import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { languageLiteral, namedNode, stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { type AccumulatedName, createAggregate } from './aggregate.ts';

const integer = (value: number): RDF.Literal => typedLiteral(String(value), xsd.integer);
const decimal = (value: string): RDF.Literal => typedLiteral(value, xsd.decimal);

function aggregate(
  name: AccumulatedName,
  terms: readonly (RDF.Term | undefined)[],
  separator?: string,
): string | undefined {
  const accumulator = createAggregate(name, separator);
  for (const term of terms) accumulator.add(term);
  try {
    return accumulator.result().value;
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

const ALL: AccumulatedName[] = ['sum', 'avg', 'sample', 'group_concat'];

describe('createAggregate', () => {
  it('gives each aggregate its value over no solutions', () => {
    expect(ALL.map((name) => aggregate(name, []))).toEqual(['0', '0', undefined, '']);
  });

  it('lets an error through in all but SAMPLE', () => {
    const terms = [integer(3), undefined, integer(5)];
    expect(ALL.map((name) => aggregate(name, terms))).toEqual([undefined, undefined, '3', undefined]);
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

  it('joins text with a space or the given separator', () => {
    const terms = [stringLiteral('a'), languageLiteral('b', 'en'), namedNode('http://e/c')];
    expect(aggregate('group_concat', terms)).toBe('a b http://e/c');
    expect(aggregate('group_concat', terms, '')).toBe('abhttp://e/c');
  });
});
