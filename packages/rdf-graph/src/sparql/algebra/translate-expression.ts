import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { AggregateName } from '../functions/aggregate.ts';
import { misplaced } from '../parse/syntax-error.ts';
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
  '&&': (args, _, go) => junction('and', args, go),
  '||': (args, _, go) => junction('or', args, go),
  if: (args, _, go) => {
    const [condition, consequent, otherwise] = all(args, go);
    return { type: 'if', condition, consequent, otherwise };
  },
  coalesce: (args, _, go) => ({ type: 'coalesce', args: all(args, go) }),
  in: (args, _, go) => membership(args, go, false),
  notin: (args, _, go) => membership(args, go, true),
  bound: ([variable], at) => ({ type: 'bound', name: at.rename((variable as RDF.Variable).value) }),
  exists: (args, at) => ({ type: 'exists', pattern: at.rules.group(args as Ast.Pattern[], at), negated: false }),
  notexists: (args, at) => ({ type: 'exists', pattern: at.rules.group(args as Ast.Pattern[], at), negated: true }),
};

function all(args: Arguments, go: Go): Expression[] {
  return args.map((arg) => go(arg as Ast.Expression));
}

function junction(type: 'and' | 'or', args: Arguments, go: Go): Expression {
  const [left, right] = all(args, go);
  return { type, left, right };
}

function membership(args: Arguments, go: Go, negated: boolean): Expression {
  const [value, list] = args;
  return { type: 'in', value: go(value as Ast.Expression), list: (list as Ast.Expression[]).map(go), negated };
}

function translateOperation({ operator, args }: Ast.OperationExpression, at: Translation, go: Go): Expression {
  const special = Object.hasOwn(SPECIAL, operator) ? SPECIAL[operator] : undefined;
  return special === undefined ? { type: 'call', name: operator, args: all(args, go) } : special(args, at, go);
}

function translateAggregate(
  ast: Ast.AggregateExpression,
  at: Translation,
  take: TakeAggregate | undefined,
): Expression {
  if (take === undefined) {
    throw misplaced('an aggregate may stand in SELECT, HAVING and ORDER BY, not inside another aggregate or a pattern');
  }
  const isStar = 'termType' in ast.expression && (ast.expression.termType as string) === 'Wildcard';
  const variable = take({
    name: ast.aggregation.toLowerCase() as AggregateName,
    distinct: ast.distinct === true,
    separator: ast.separator,
    expression: isStar ? undefined : translateExpression(ast.expression as Ast.Expression, at),
  });
  return { type: 'variable', name: variable };
}

function unsupported(what: string): CodedError {
  return new CodedError({ code: 'ERR_SPARQL_UNSUPPORTED', kind: 'unsupported', message: `SPARQL with ${what}` });
}
