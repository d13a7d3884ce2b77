import type * as RDF from '@rdfjs/types';
import { MAX_DIGITS } from '../../xpath/limits.ts';
import { add, divide, multiply, negate, numericOf, overNumbers, subtract } from './arithmetic.ts';
import { valueCompare, valueEquals } from './comparison.ts';
import { type FunctionDefinition, type FunctionTable, totalLength } from './definition.ts';
import { booleanLiteral, effectiveBooleanValue } from './effective-boolean-value.ts';
import { type NumericValue, numericLiteral } from './numeric.ts';

function cost(args: readonly RDF.Term[]): number {
  const length = totalLength(args);
  return 4 + 4 * Math.min(2 * MAX_DIGITS, length) + (length >> 4);
}

function binary(call: (args: readonly RDF.Term[]) => RDF.Term): FunctionDefinition {
  return { minArgs: 2, maxArgs: 2, cost, call };
}

function comparison(holds: (order: number) => boolean): FunctionDefinition {
  return binary(([a, b]) => booleanLiteral(holds(valueCompare(a, b))));
}

function unary(name: string, compute: (value: NumericValue) => NumericValue): FunctionDefinition {
  return { minArgs: 1, maxArgs: 1, call: ([value]) => numericLiteral(compute(numericOf(value, name))) };
}

/**
 * The operators by their symbol; `!`, unary `+` and `-` under `!`, `UPLUS` and `UMINUS` (sparqljs writes the latter two
 * so). `&&`, `||` and IN are not here: they see errors, so the executor evaluates them.
 */
export const OPERATORS: FunctionTable = new Map<string, FunctionDefinition>([
  ['!', { minArgs: 1, maxArgs: 1, call: ([value]) => booleanLiteral(!effectiveBooleanValue(value)) }],
  ['=', binary(([a, b]) => booleanLiteral(valueEquals(a, b)))],
  ['!=', binary(([a, b]) => booleanLiteral(!valueEquals(a, b)))],
  ['<', comparison((order) => order < 0)],
  ['>', comparison((order) => order > 0)],
  ['<=', comparison((order) => order <= 0)],
  ['>=', comparison((order) => order >= 0)],
  ['+', binary(overNumbers('+', add))],
  ['-', binary(overNumbers('-', subtract))],
  ['*', binary(overNumbers('*', multiply))],
  ['/', binary(overNumbers('/', divide))],
  ['UPLUS', unary('unary +', (value) => value)],
  ['UMINUS', unary('unary -', negate)],
]);
