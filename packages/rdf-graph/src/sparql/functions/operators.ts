import type * as RDF from '@rdfjs/types';
import { MAX_DIGITS } from '../../xpath/limits.ts';
import { absolute, add, divide, multiply, negate, round, subtract } from './arithmetic.ts';
import { valueCompare, valueEquals } from './comparison.ts';
import { draw, type FunctionDefinition, type FunctionTable, taking, totalLength } from './definition.ts';
import { booleanLiteral, effectiveBooleanValue } from './effective-boolean-value.ts';
import { type NumericValue, numericLiteral } from './numeric.ts';
import { numericOf } from './value.ts';

function cost(args: readonly RDF.Term[]): number {
  const length = totalLength(args);
  return 4 + 4 * Math.min(2 * MAX_DIGITS, length) + (length >> 4);
}

function test(holds: (a: RDF.Term, b: RDF.Term) => boolean): FunctionDefinition {
  return taking(2, ([a, b]) => booleanLiteral(holds(a, b)), cost);
}

function binary(operator: string, compute: (a: NumericValue, b: NumericValue) => NumericValue): FunctionDefinition {
  return taking(2, ([a, b]) => numericLiteral(compute(numericOf(a, operator), numericOf(b, operator))), cost);
}

function unary(name: string, compute: (value: NumericValue) => NumericValue): FunctionDefinition {
  return taking(1, ([value]) => numericLiteral(compute(numericOf(value, name))));
}

/**
 * The operators by their symbol; `!`, unary `+` and `-` under `!`, `UPLUS` and `UMINUS` (sparqljs writes the latter two
 * so). `&&`, `||` and IN are not here: they see errors, so the executor evaluates them.
 */
export const OPERATORS: FunctionTable = new Map([
  ['!', taking(1, ([value]) => booleanLiteral(!effectiveBooleanValue(value)))],
  ['=', test(valueEquals)],
  ['!=', test((a, b) => !valueEquals(a, b))],
  ['<', test((a, b) => valueCompare(a, b) < 0)],
  ['>', test((a, b) => valueCompare(a, b) > 0)],
  ['<=', test((a, b) => valueCompare(a, b) <= 0)],
  ['>=', test((a, b) => valueCompare(a, b) >= 0)],
  ['+', binary('+', add)],
  ['-', binary('-', subtract)],
  ['*', binary('*', multiply)],
  ['/', binary('/', divide)],
  ['UPLUS', unary('unary +', (value) => value)],
  ['UMINUS', unary('unary -', negate)],
]);

/** The functions on numbers (SPARQL 1.1, 17.4.4). */
export const NUMERIC_FUNCTIONS: FunctionTable = new Map([
  ['abs', unary('abs', absolute)],
  ['ceil', unary('ceil', (value) => round(value, 'up'))],
  ['floor', unary('floor', (value) => round(value, 'down'))],
  ['round', unary('round', (value) => round(value, 'half-up'))],
  ['rand', taking(0, (_, context) => numericLiteral({ type: 'double', value: draw(context) }))],
]);
