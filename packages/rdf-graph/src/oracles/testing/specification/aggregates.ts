import { stringLiteral } from '../../../rdf/terms.ts';
import { integerLiteral } from '../../../sparql/functions/numeric.ts';
import { compareForOrder } from '../../../sparql/functions/order.ts';
import type { Expression, Term } from './algebra.ts';
import type { Solution } from './evaluate.ts';
import { valueIn } from './expressions.ts';
import { readTerm, rememberTerm } from './terms.ts';

type Read = (expression: Expression, solution: Solution) => Term | undefined;

/** The value of an aggregate over the solutions of one group (18.5.1); `undefined` for an error. */
export function aggregateValue(aggregate: Expression, solutions: readonly Solution[], read: Read): Term | undefined {
  if (aggregate.type !== 'aggregate') throw new Error('not an aggregate');
  const { name, expression, distinct } = aggregate;
  if (expression === undefined) return count(distinct ? distinctSolutions(solutions) : solutions);
  const all = solutions.map((solution) => read(expression, solution));
  const values = distinct ? [...new Set(all)] : all;
  const known = values.filter((value) => value !== undefined);
  if (name === 'count') return count(known);
  if (name === 'sample') return known[0];
  if (known.length < values.length) return undefined;
  switch (name) {
    case 'sum':
      return sum(known);
    case 'avg': {
      if (known.length === 0) return rememberTerm(integerLiteral(0));
      const total = sum(known);
      return total === undefined ? undefined : calculate('/', total, count(known));
    }
    case 'min':
    case 'max':
      return extreme(known, name === 'min' ? 1 : -1);
    default:
      return rememberTerm(stringLiteral(known.map((value) => readTerm(value).value).join(aggregate.separator)));
  }
}

function count(counted: readonly unknown[]): Term {
  return rememberTerm(integerLiteral(counted.length));
}

function distinctSolutions(solutions: readonly Solution[]): string[] {
  const named = solutions.map((solution) => Object.entries(solution).filter(([name]) => name.startsWith('?')));
  return [...new Set(named.map((entries) => JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))))];
}

function sum(values: readonly Term[]): Term | undefined {
  return values.reduce<Term | undefined>(
    (total, value) => (total === undefined ? undefined : calculate('+', total, value)),
    rememberTerm(integerLiteral(0)),
  );
}

function calculate(operator: string, left: Term, right: Term): Term | undefined {
  const args: Expression[] = [left, right].map((term) => ({ type: 'term', term }));
  return valueIn({ type: 'call', name: operator, args }, {}, { exists: () => false });
}

function extreme(values: readonly Term[], sign: 1 | -1): Term | undefined {
  const [first] = [...values].sort((a, b) => sign * compareForOrder(readTerm(a), readTerm(b)));
  return first;
}
