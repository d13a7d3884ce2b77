import { drawRandom } from '../../rdf/random-source.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { absolute, numericOf, round } from './arithmetic.ts';
import type { FunctionDefinition, FunctionTable } from './definition.ts';
import { type NumericValue, numericLiteral } from './numeric.ts';

function unary(name: string, compute: (value: NumericValue) => NumericValue): [string, FunctionDefinition] {
  return [name, { minArgs: 1, maxArgs: 1, call: ([term]) => numericLiteral(compute(numericOf(term, name))) }];
}

const RAND: FunctionDefinition = {
  minArgs: 0,
  maxArgs: 0,
  call(_, { random }) {
    if (random === undefined) throw new ExpressionError('no random source was given');
    return numericLiteral({ type: 'double', value: drawRandom(random) });
  },
};

/** The functions on numbers (SPARQL 1.1, 17.4.4). */
export const NUMERIC_FUNCTIONS: FunctionTable = new Map([
  unary('abs', absolute),
  unary('ceil', (value) => round(value, 'up')),
  unary('floor', (value) => round(value, 'down')),
  unary('round', (value) => round(value, 'half-up')),
  ['rand', RAND],
]);
