import type * as RDF from '@rdfjs/types';
import { compareForOrder } from '../../../sparql/functions/order.ts';
import { aggregateValue } from './aggregates.ts';
import type { Algebra, Named, Term, Triple } from './algebra.ts';
import { type Environment, effectiveBoolean, valueIn } from './expressions.ts';
import { isVariable, pathPairs } from './paths.ts';
import { readTerm } from './terms.ts';

/*
 * The evaluation of SPARQL 1.1, section 18.6, bottom up: a multiset is a list, a join tries each pair.
 *
 * EXISTS goes by a rule of our own, for the standard's has gaps (docs/unspecified.md): the solutions of every part of
 * its pattern are joined with the outer row's values for the variables that this part can bind, and expressions see
 * the outer row. `outer` is that row; elsewhere it is empty, and the evaluation is the standard's.
 */

/** A solution: terms by variable. Blank nodes of the query are variables. */
export type Solution = Readonly<Record<Term, Term>>;

/** The triples of one graph. */
export type Graph = readonly Triple[];

export interface Dataset {
  readonly defaultGraph: Graph;
  readonly named: ReadonlyMap<Term, Graph>;
}

interface Active extends Environment {
  readonly dataset: Dataset;
  readonly graph: Graph;
  readonly outer: Solution;
}

export function evaluate(algebra: Algebra, dataset: Dataset): Solution[] {
  return evaluateIn(algebra, activeIn(dataset, dataset.defaultGraph, {}));
}

function activeIn(dataset: Dataset, graph: Graph, outer: Solution): Active {
  const exists = (pattern: Algebra, solution: Solution): boolean =>
    evaluateIn(pattern, activeIn(dataset, graph, { ...outer, ...solution })).length > 0;
  return { dataset, graph, outer, exists };
}

function isCompatible(a: Solution, b: Solution): boolean {
  return Object.entries(a).every(([name, term]) => b[name] === undefined || b[name] === term);
}

function evaluateIn(algebra: Algebra, active: Active): Solution[] {
  const solutions = evaluateOperation(algebra, active);
  const names = Object.keys(active.outer);
  if (names.length === 0) return solutions;
  const scope = new Set(variablesIn(algebra));
  const own = names.filter((name) => scope.has(name)).map((name) => [name, active.outer[name]] as const);
  return joined(solutions, [Object.fromEntries(own)]);
}

/** The variables that a pattern can bind. */
function variablesIn(algebra: Algebra): Term[] {
  switch (algebra.type) {
    case 'BGP':
      return algebra.triples
        .flatMap(({ subject, predicate, object }) => [subject, predicate, object])
        .filter(isVariable);
    case 'Path':
      return [algebra.subject, algebra.object].filter(isVariable);
    case 'Join':
    case 'LeftJoin':
    case 'Union':
      return [...variablesIn(algebra.left), ...variablesIn(algebra.right)];
    case 'Minus':
      return variablesIn(algebra.left);
    case 'Extend':
      return [algebra.variable, ...variablesIn(algebra.pattern)];
    case 'Graph':
      return [algebra.name, ...variablesIn(algebra.pattern)].filter(isVariable);
    case 'Values':
      return [...algebra.variables];
    case 'Group':
      return [...algebra.keys, ...algebra.aggregates].map(({ variable }) => variable);
    case 'Project': {
      const inside = variablesIn(algebra.pattern).filter(isShown);
      const { variables } = algebra;
      return variables === '*' ? inside : inside.filter((name) => variables.includes(name));
    }
    default:
      return variablesIn(algebra.pattern);
  }
}

/** Blank nodes of the query, and names that the translation makes, are shown by no SELECT. */
function isShown(name: Term): boolean {
  return name.startsWith('?') && !name.startsWith('?.');
}

function evaluateOperation(algebra: Algebra, active: Active): Solution[] {
  const go = (part: Algebra): Solution[] => evaluateIn(part, active);
  const seen = (solution: Solution): Solution => ({ ...active.outer, ...solution });
  switch (algebra.type) {
    case 'BGP':
      return matchTriples(algebra.triples, active.graph);
    case 'Path':
      return pathPairs(algebra.path, algebra.subject, algebra.object, active.graph).flatMap(([subject, object]) =>
        bind({}, [
          [algebra.subject, subject],
          [algebra.object, object],
        ]),
      );
    case 'Join':
      return joined(go(algebra.left), go(algebra.right));
    case 'LeftJoin': {
      const right = go(algebra.right);
      return go(algebra.left).flatMap((left) => {
        const found = joined([left], right).filter((both) => effectiveBoolean(algebra.expression, seen(both), active));
        return found.length > 0 ? found : [left];
      });
    }
    case 'Union':
      return [...go(algebra.left), ...go(algebra.right)];
    case 'Minus': {
      const right = go(algebra.right);
      const meets = (a: Solution, b: Solution) => isCompatible(a, b) && Object.keys(a).some((name) => name in b);
      return go(algebra.left).filter((left) => !right.some((other) => meets(left, other)));
    }
    case 'Filter':
      return go(algebra.pattern).filter((solution) => effectiveBoolean(algebra.expression, seen(solution), active));
    case 'Extend':
      return go(algebra.pattern).map((solution) => {
        const value = valueIn(algebra.expression, seen(solution), active);
        return value === undefined ? solution : { ...solution, [algebra.variable]: value };
      });
    case 'Graph':
      return evaluateGraph(algebra.name, algebra.pattern, active);
    case 'Values':
      return [...algebra.rows];
    case 'Group':
      return groups(go(algebra.pattern), algebra.keys, algebra.aggregates, active);
    case 'OrderBy':
      return sorted(go(algebra.pattern), algebra.keys, active);
    case 'Project':
      return project(algebra.pattern, algebra.variables, active);
    case 'Distinct':
      return [...new Map(go(algebra.pattern).map((solution) => [keyOf(solution), solution])).values()];
    case 'Slice':
      return go(algebra.pattern).slice(algebra.start, algebra.start + algebra.length);
  }
}

function keyOf(solution: Solution): string {
  return JSON.stringify(Object.entries(solution).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function joined(left: readonly Solution[], right: readonly Solution[]): Solution[] {
  return left.flatMap((a) => right.filter((b) => isCompatible(a, b)).map((b) => ({ ...a, ...b })));
}

/** The solution with more variables bound, none where a term differs from what is bound or stands in the pattern. */
function bind(solution: Solution, pairs: readonly (readonly [Term, Term])[]): Solution[] {
  let bound = solution;
  for (const [place, term] of pairs) {
    if (!isVariable(place)) {
      if (place !== term) return [];
    } else if (bound[place] === undefined) bound = { ...bound, [place]: term };
    else if (bound[place] !== term) return [];
  }
  return [bound];
}

function matchTriples(patterns: readonly Triple[], graph: Graph): Solution[] {
  return patterns.reduce<Solution[]>(
    (solutions, { subject, predicate, object }) =>
      solutions.flatMap((solution) =>
        graph.flatMap((triple) =>
          bind(solution, [
            [subject, triple.subject],
            [predicate, triple.predicate],
            [object, triple.object],
          ]),
        ),
      ),
    [{}],
  );
}

function evaluateGraph(name: Term, pattern: Algebra, { dataset, outer }: Active): Solution[] {
  const inGraph = (graph: Graph): Solution[] => evaluateIn(pattern, activeIn(dataset, graph, outer));
  if (!isVariable(name)) {
    const graph = dataset.named.get(name);
    return graph === undefined ? [] : inGraph(graph);
  }
  return [...dataset.named].flatMap(([iri, graph]) => joined(inGraph(graph), [{ [name]: iri }]));
}

/** Variables that are not projected are other ones than those outside, so the outer row has no value for them. */
function project(pattern: Algebra, variables: readonly Term[] | '*', active: Active): Solution[] {
  const shown = (names: readonly Term[]) => (variables === '*' ? names.filter(isShown) : variables);
  const pick = (solution: Solution): Solution =>
    Object.fromEntries(
      shown(Object.keys(solution)).flatMap((name) => (solution[name] === undefined ? [] : [[name, solution[name]]])),
    );
  return evaluateIn(pattern, activeIn(active.dataset, active.graph, pick(active.outer))).map(pick);
}

function groups(
  solutions: readonly Solution[],
  keys: readonly Named[],
  aggregates: readonly Named[],
  active: Active,
): Solution[] {
  const members = new Map<string, { key: Solution; solutions: Solution[] }>();
  if (keys.length === 0) members.set('{}', { key: {}, solutions: [] });
  for (const solution of solutions) {
    const key = Object.fromEntries(
      keys.flatMap(({ variable, expression }) => {
        const value = valueIn(expression, { ...active.outer, ...solution }, active);
        return value === undefined ? [] : [[variable, value]];
      }),
    );
    const text = keys.length === 0 ? '{}' : keyOf(key);
    const group = members.get(text) ?? { key, solutions: [] };
    group.solutions.push(solution);
    members.set(text, group);
  }
  return [...members.values()].map(({ key, solutions: own }) => {
    const computed = aggregates.flatMap(({ variable, expression }) => {
      const value = aggregateValue(expression, own, (part, solution) =>
        valueIn(part, { ...active.outer, ...solution }, active),
      );
      return value === undefined ? [] : [[variable, value]];
    });
    return { ...key, ...Object.fromEntries(computed) };
  });
}

function sorted(
  solutions: readonly Solution[],
  keys: Extract<Algebra, { type: 'OrderBy' }>['keys'],
  active: Active,
): Solution[] {
  const read = (expression: Named['expression'], solution: Solution): RDF.Term | undefined => {
    const value = valueIn(expression, { ...active.outer, ...solution }, active);
    return value === undefined ? undefined : readTerm(value);
  };
  return [...solutions].sort((a, b) => {
    for (const { expression, descending } of keys) {
      const order = compareForOrder(read(expression, a), read(expression, b));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}
