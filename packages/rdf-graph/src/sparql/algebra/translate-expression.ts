import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { AggregateName } from '../functions/aggregate.ts';
import type { AggregateBinding, Expression } from './algebra.ts';
import type { Translation } from './translation.ts';

export type TakeAggregate = (aggregate: Omit<AggregateBinding, 'variable'>) => string;

/** Turns an expression of the parser into one of the algebra. */
export function translateExpression(ast: Ast.Expression, at: Translation, take?: TakeAggregate): Expression {
  if (Array.isArray(ast)) throw unsupported('a list outside of IN');
  if ('termType' in ast) return translateTerm(ast as RDF.Term, at);
  const go = (part: Ast.Expression) => translateExpression(part, at, take);
  switch (ast.type) {
    case 'operation':
      return translateOperation(ast as Ast.OperationExpression, at, go);
    case 'functionCall': {
      const call = ast as Ast.FunctionCallExpression;
      const name = typeof call.function === 'string' ? call.function : call.function.value;
      return { type: 'call', name, args: call.args.map(go) };
    }
    case 'aggregate':
      return translateAggregate(ast as Ast.AggregateExpression, at, take);
    default:
      throw unsupported(`an expression of type ${(ast as { type: string }).type}`);
  }
}

function translateTerm(term: RDF.Term, at: Translation): Expression {
  if (term.termType === 'Variable') return { type: 'variable', name: at.rename(term.value) };
  if (term.termType !== 'Quad') return { type: 'term', term };
  const args = [term.subject, term.predicate, term.object].map((part) => translateTerm(part, at));
  return { type: 'call', name: 'triple', args };
}

type Go = (part: Ast.Expression) => Expression;
type Arguments = readonly (Ast.Expression | Ast.Pattern)[];

const SPECIAL: Readonly<Record<string, (args: Arguments, at: Translation, go: Go) => Expression>> = {
  '&&': ([left, right], _, go) => ({
    type: 'and',
    left: go(left as Ast.Expression),
    right: go(right as Ast.Expression),
  }),
  '||': ([left, right], _, go) => ({
    type: 'or',
    left: go(left as Ast.Expression),
    right: go(right as Ast.Expression),
  }),
  if: (args, _, go) => {
    const [condition, then, otherwise] = args.map((arg) => go(arg as Ast.Expression));
    return { type: 'if', condition, consequent: then, otherwise };
  },
  coalesce: (args, _, go) => ({ type: 'coalesce', args: args.map((arg) => go(arg as Ast.Expression)) }),
  in: (args, _, go) => membership(args, go, false),
  notin: (args, _, go) => membership(args, go, true),
  bound: ([variable], at) => ({ type: 'bound', name: at.rename((variable as RDF.Variable).value) }),
  exists: (args, at) => ({ type: 'exists', pattern: at.rules.group(args as Ast.Pattern[], at), negated: false }),
  notexists: (args, at) => ({ type: 'exists', pattern: at.rules.group(args as Ast.Pattern[], at), negated: true }),
};

function membership(args: Arguments, go: Go, negated: boolean): Expression {
  const [value, list] = args;
  return { type: 'in', value: go(value as Ast.Expression), list: (list as Ast.Expression[]).map(go), negated };
}

function translateOperation(ast: Ast.OperationExpression, at: Translation, go: Go): Expression {
  const special = Object.hasOwn(SPECIAL, ast.operator) ? SPECIAL[ast.operator] : undefined;
  if (special !== undefined) return special(ast.args, at, go);
  return { type: 'call', name: ast.operator, args: ast.args.map((arg) => go(arg as Ast.Expression)) };
}

function translateAggregate(
  ast: Ast.AggregateExpression,
  at: Translation,
  take: TakeAggregate | undefined,
): Expression {
  if (take === undefined) throw misplacedAggregate();
  const isStar = 'termType' in ast.expression && (ast.expression.termType as string) === 'Wildcard';
  const variable = take({
    name: ast.aggregation.toLowerCase() as AggregateName,
    distinct: ast.distinct === true,
    separator: ast.separator,
    expression: isStar ? undefined : translateExpression(ast.expression as Ast.Expression, at),
  });
  return { type: 'variable', name: variable };
}

function misplacedAggregate(): CodedError {
  return new CodedError({
    code: 'ERR_SPARQL_SYNTAX',
    kind: 'invalid',
    message: 'an aggregate may stand in SELECT, HAVING and ORDER BY, not inside another aggregate or a pattern',
  });
}

function unsupported(what: string): CodedError {
  return new CodedError({ code: 'ERR_SPARQL_UNSUPPORTED', kind: 'unsupported', message: `SPARQL with ${what}` });
}
