import type { Algebra } from '../algebra/algebra.ts';
import { scopeOf, variablesOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { GroupPlan } from '../execute/group.ts';
import type { Place } from '../execute/pattern-join.ts';
import { DistinctPlan, Pipeline } from '../execute/pipes.ts';
import { RunScan } from '../execute/run-scan.ts';
import type { Compiler, Planning } from './compiler.ts';
import { aloneInput, together } from './input.ts';
import { toPlaces } from './places.ts';
import { countsRows, distinctValuesOf, type SortedPattern, toSortedPattern } from './run-scan.ts';

type Group = Extract<Algebra, { type: 'group' }>;

/** GROUP BY with its aggregates. */
export function* compileGroup(compiler: Compiler, node: Group): Planning {
  const { child, keys, aggregates } = node;
  const expressions = [...keys, ...aggregates].flatMap(({ expression }) => expression ?? []);
  const countsSolutions = aggregates.some(({ expression, distinct }) => expression === undefined && distinct);
  const scope = scopeOf(child);
  const needed = together(
    ...expressions.map((expression) => variablesOf(expression)),
    countsSolutions ? scope.possible : [],
  );
  const group = new GroupPlan(
    yield* compileGrouped(compiler, node, needed),
    keys.map(({ variable, expression }) => ({
      slot: compiler.slots.of(variable),
      expression: compiler.expression(expression, scope),
    })),
    aggregates.map(({ variable, expression, name, distinct, separator }) => ({
      slot: compiler.slots.of(variable),
      name,
      distinct,
      separator,
      expression: expression && compiler.expression(expression, scope),
    })),
    compiler.slots.all(countsSolutions ? [...scope.possible].filter((variable) => !variable.startsWith('_:')) : []),
  );
  return compileRowCounts(compiler, node, group) ?? group;
}

/** What is grouped: the distinct values of one variable where no aggregate looks at more. */
function* compileGrouped(
  compiler: Compiler,
  { child, keys, aggregates }: Group,
  needed: ReadonlySet<string>,
): Planning {
  const plan = yield* compiler.childAlone(child, needed);
  const variable = keys.length === 0 ? distinctValuesOf(aggregates) : undefined;
  const sorted = variable === undefined ? undefined : toSortedPattern(child, variable);
  return sorted === undefined ? plan : compileRuns(compiler, sorted, [], plan);
}

/** Counts of the rows of one pattern by one of its variables: read off the sorted columns. */
function compileRowCounts(compiler: Compiler, { child, keys, aggregates }: Group, otherwise: Plan): Plan | undefined {
  const [key] = keys;
  if (keys.length !== 1 || key.expression.type !== 'variable' || key.expression.name !== key.variable) return undefined;
  const sorted = toSortedPattern(child, key.variable);
  if (sorted === undefined || !aggregates.every((aggregate) => countsRows(aggregate, sorted))) return undefined;
  return compileRuns(compiler, sorted, compiler.slots.all(aggregates.map(({ variable }) => variable)), otherwise);
}

/** DISTINCT: read off the sorted columns where one pattern has them. */
export function* compileDistinct(compiler: Compiler, { child }: Extract<Algebra, { type: 'distinct' }>): Planning {
  const names = scopeOf(child).possible;
  const distinct = new Pipeline([
    yield* compiler.childAlone(child, names),
    new DistinctPlan(compiler.slots.all(names)),
  ]);
  const sorted = names.size === 1 ? toSortedPattern(withoutProject(child), [...names][0]) : undefined;
  return sorted === undefined ? distinct : compileRuns(compiler, sorted, [], distinct);
}

/** What a projection without assignments shows one variable of. */
function withoutProject(node: Algebra): Algebra {
  return node.type === 'project' ? node.child : node;
}

function compileRuns(
  compiler: Compiler,
  { pattern, variable, permutation, column }: SortedPattern,
  countSlots: readonly number[],
  otherwise: Plan,
): Plan {
  const { subject, predicate, object, graph } = pattern;
  const places = toPlaces([subject, predicate, object, graph], aloneInput(new Set()), compiler.slots);
  return new RunScan({
    places: {
      subject: places[0] as Place,
      predicate: places[1] as Place,
      object: places[2] as Place,
      graph: places[3],
    },
    permutation,
    column,
    slot: compiler.slots.of(variable),
    countSlots,
    otherwise,
  });
}
