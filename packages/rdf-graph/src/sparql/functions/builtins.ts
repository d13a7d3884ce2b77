import { CASTS } from './casts.ts';
import { DATE_FUNCTIONS } from './date-functions.ts';
import type { FunctionDefinition, FunctionTable } from './definition.ts';
import { NUMERIC_FUNCTIONS, OPERATORS } from './operators.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { TERM_FUNCTIONS } from './term-functions.ts';

/**
 * The operators by symbol, the functions of SPARQL 1.1 and those on triple terms of 1.2 by name in lower case, and the
 * casts by IRI. BOUND, IF, COALESCE, EXISTS, NOT EXISTS, IN, `&&` and `||` are not here: they see errors or unbound
 * variables, so the executor evaluates them.
 */
export const FUNCTIONS: FunctionTable = new Map([
  ...OPERATORS,
  ...TERM_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...CASTS,
]);

/** The definition of an operator, a function in any case, or a cast, as sparqljs names it. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return FUNCTIONS.get(name) ?? FUNCTIONS.get(name.toLowerCase());
}
