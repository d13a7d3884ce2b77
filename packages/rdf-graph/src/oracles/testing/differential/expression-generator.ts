import { NODES } from './data.ts';
import type { Choices } from './random.ts';

const CONSTANTS: readonly string[] = ['1', '2', '2.5', '"x"', '"x"@en', 'true', 'false', `:${NODES[0]}`];
const COMPARISONS: readonly string[] = ['=', '!=', '<', '>', '<=', '>='];

/** An expression over variables. Errors are likely: how they spread is part of what is compared. */
export function randomExpression(choices: Choices, variables: readonly string[], depth: number): string {
  const leaf = (): string => (choices.chance(0.7) ? choices.pick(variables) : choices.pick(CONSTANTS));
  if (depth === 0) return leaf();
  const inner = (): string => randomExpression(choices, variables, depth - 1);
  return choices.oneOf(
    () => `(${leaf()} ${choices.pick(COMPARISONS)} ${leaf()})`,
    () => `(${inner()} ${choices.pick(['&&', '||'])} ${inner()})`,
    () => `(!${inner()})`,
    () => `(${leaf()} ${choices.pick(['+', '-', '*'])} ${leaf()})`,
    () => `BOUND(${choices.pick(variables)})`,
    () => `${choices.pick(['isIRI', 'isLiteral', 'isNumeric', 'isBlank'])}(${leaf()})`,
    () => `${choices.pick(['STR', 'LANG', 'DATATYPE'])}(${leaf()})`,
    () => `${choices.pick(['STRLEN', 'UCASE', 'ABS', 'CEIL', 'YEAR'])}(${leaf()})`,
    () => `${choices.pick(['STRSTARTS', 'CONTAINS'])}(STR(${leaf()}), ${choices.pick(['"x"', '"http"', '""'])})`,
    () => `sameTerm(${leaf()}, ${leaf()})`,
    () => `IF(${inner()}, ${leaf()}, ${leaf()})`,
    () => `COALESCE(${inner()}, ${leaf()})`,
    () => `(${leaf()} ${choices.pick(['', 'NOT '])}IN (${leaf()}, ${leaf()}))`,
    () => `REGEX(STR(${leaf()}), ${choices.pick(['"^x"', '"[0-9]$"', '"e/.$"'])})`,
  );
}
