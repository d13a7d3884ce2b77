import type * as RDF from '@rdfjs/types';
import { compileRegex, type Regex, type Spend } from '../../xpath/regex.ts';
import type { FunctionContext, FunctionDefinition, FunctionTable } from './definition.ts';
import { booleanLiteral } from './effective-boolean-value.ts';
import { likeLiteral, simpleArgument, stringArgument } from './string-argument.ts';

/** A compiled pattern: whether it was remembered does not show in the work. */
function compiled(pattern: string, flags: string, spend: Spend | undefined): Regex {
  const regex = compileRegex(pattern, flags);
  spend?.(regex.compilation / 4);
  return regex;
}

function flagsOf(term: RDF.Term | undefined, name: string): string {
  return term === undefined ? '' : simpleArgument(term, name);
}

function callRegex([text, pattern, flags]: readonly RDF.Term[], { spend }: FunctionContext): RDF.Term {
  const literal = stringArgument(text, 'regex');
  const regex = compiled(simpleArgument(pattern, 'regex'), flagsOf(flags, 'regex'), spend);
  return booleanLiteral(regex.test(literal.value, spend));
}

function callReplace([text, pattern, replacement, flags]: readonly RDF.Term[], { spend }: FunctionContext): RDF.Term {
  const literal = stringArgument(text, 'replace');
  const regex = compiled(simpleArgument(pattern, 'replace'), flagsOf(flags, 'replace'), spend);
  return likeLiteral(regex.replace(literal.value, simpleArgument(replacement, 'replace'), spend), literal);
}

export const REGEX_FUNCTIONS: FunctionTable = new Map<string, FunctionDefinition>([
  ['regex', { minArgs: 2, maxArgs: 3, call: callRegex }],
  ['replace', { minArgs: 3, maxArgs: 4, call: callReplace }],
]);
