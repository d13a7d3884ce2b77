import type * as RDF from '@rdfjs/types';
import { findFunction } from '../../../sparql/functions/builtins.ts';
import type { FunctionContext } from '../../../sparql/functions/definition.ts';
import { booleanLiteral, effectiveBooleanValue } from '../../../sparql/functions/effective-boolean-value.ts';
import { ExpressionError } from '../../../xpath/expression-error.ts';
import type { Algebra, Expression, Term } from './algebra.ts';
import type { Solution } from './evaluate.ts';
import { isVariable } from './paths.ts';
import { readTerm, rememberTerm } from './terms.ts';

/*
 * Expressions by SPARQL 1.1, section 17. The functions on values are those of the engine, which have tests of their own;
 * how errors and unbound variables go through them is written here.
 */

export interface Environment {
  /** Returns true if a pattern has a solution for the values of a row. */
  exists(pattern: Algebra, solution: Solution): boolean;
}

const CONTEXT: FunctionContext = {
  nowMs: 0,
  random: undefined,
  baseIri: undefined,
  blankNode: () => {
    throw new ExpressionError('the reference makes no blank nodes');
  },
};

/** The value of an expression; `undefined` for an error or an unbound variable. */
export function valueIn(expression: Expression, solution: Solution, environment: Environment): Term | undefined {
  try {
    return rememberTerm(compute(expression, solution, environment));
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

export function effectiveBoolean(expression: Expression, solution: Solution, environment: Environment): boolean {
  return truth(expression, solution, environment) === true;
}

/** The effective boolean value; `undefined` for an error. */
function truth(expression: Expression, solution: Solution, environment: Environment): boolean | undefined {
  try {
    return effectiveBooleanValue(compute(expression, solution, environment));
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function compute(expression: Expression, solution: Solution, environment: Environment): RDF.Term {
  switch (expression.type) {
    case 'term':
      return isVariable(expression.term) ? boundTerm(expression.term, solution) : readTerm(expression.term);
    case 'exists':
      return booleanLiteral(environment.exists(expression.pattern, solution) !== expression.negated);
    case 'aggregate':
      throw new Error('an aggregate is computed by its group');
    case 'call':
      return call(expression.name.toLowerCase(), expression.args, solution, environment);
  }
}

function boundTerm(name: Term, solution: Solution): RDF.Term {
  const term = solution[name];
  if (term === undefined) throw new ExpressionError(`${name} is not bound`);
  return readTerm(term);
}

function call(name: string, args: readonly Expression[], solution: Solution, environment: Environment): RDF.Term {
  const value = (part: Expression): RDF.Term => compute(part, solution, environment);
  const test = (part: Expression): boolean | undefined => truth(part, solution, environment);
  switch (name) {
    case '&&': {
      const sides = args.map(test);
      if (sides.includes(false)) return booleanLiteral(false);
      return booleanLiteral(!sides.includes(undefined) || fail('&&'));
    }
    case '||': {
      const sides = args.map(test);
      if (sides.includes(true)) return booleanLiteral(true);
      return booleanLiteral(sides.includes(undefined) && fail('||'));
    }
    case 'bound': {
      const [variable] = args;
      return booleanLiteral(variable.type === 'term' && solution[variable.term] !== undefined);
    }
    case 'if': {
      const [condition, consequent, otherwise] = args;
      const holds = test(condition);
      return holds === undefined ? fail('IF') : value(holds ? consequent : otherwise);
    }
    case 'coalesce': {
      for (const part of args) {
        const found = valueIn(part, solution, environment);
        if (found !== undefined) return readTerm(found);
      }
      return fail('COALESCE');
    }
    case 'in':
    case 'notin': {
      const [left, list] = args;
      const members = list.type === 'call' ? list.args : [];
      const equals = members.map((member) => test({ type: 'call', name: '=', args: [left, member] }));
      const isMember = equals.includes(true) || (equals.includes(undefined) && fail('IN'));
      return booleanLiteral(isMember === (name === 'in'));
    }
    default: {
      const definition = findFunction(name);
      return definition === undefined ? fail(name) : definition.call(args.map(value), CONTEXT);
    }
  }
}

function fail(what: string): never {
  throw new ExpressionError(`error in ${what}`);
}
