import { DATE_FUNCTIONS } from './date-functions.ts';
import type { FunctionDefinition, FunctionTable } from './definition.ts';
import { HASH_FUNCTIONS } from './hash-functions.ts';
import { NUMERIC_FUNCTIONS } from './numeric-functions.ts';
import { OPERATORS } from './operators.ts';
import { REGEX_FUNCTIONS } from './regex-functions.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';
import { TERM_FUNCTIONS } from './term-functions.ts';

/**
 * The functions of SPARQL 1.1 by name in lower case, and those on triple terms of 1.2. BOUND, IF, COALESCE, EXISTS,
 * NOT EXISTS, IN, `&&` and `||` are not here: they see errors or unbound variables, so the executor evaluates them.
 */
export const BUILTINS: FunctionTable = new Map([
  ...TERM_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...HASH_FUNCTIONS,
]);

/** The definition of an operator symbol or function name in any case, as sparqljs gives it; else `undefined`. */
export function findOperation(name: string): FunctionDefinition | undefined {
  return OPERATORS.get(name) ?? BUILTINS.get(name.toLowerCase());
}
