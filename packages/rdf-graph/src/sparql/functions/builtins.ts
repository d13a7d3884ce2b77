import type { FunctionTable } from './definition.ts';
import { ROUNDING_FUNCTIONS } from './operators.ts';

/**
 * The functions of SPARQL 1.1 by name in lower case. BOUND, IF, COALESCE, EXISTS, NOT EXISTS, IN, `&&` and `||` are not
 * here: they see errors or unbound variables, so the executor evaluates them.
 */
export const BUILTINS: FunctionTable = new Map([...ROUNDING_FUNCTIONS]);
