import type { Algebra } from '../algebra/algebra.ts';
import { expressionsOf, namesIn, scopeOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { group } from '../execute/group.ts';
import { distinct, pipeline } from '../execute/pipes.ts';
import { runScan } from '../execute/run-scan.ts';
import { type PlanInput, together, visibleIn } from './input.ts';
import type { Planner, Planning } from './planner.ts';
import { countsRows, distinctValuesOf, type SortedPattern, toSortedPattern } from './run-scan.ts';

type Group = Extract<Algebra, { type: 'group' }>;

/** `row`: inside EXISTS the outer row that the group is made for. */
export function* compileGroup(compiler: Planner, node: Group, row: PlanInput | undefined): Planning {
  const { child, keys, aggregates } = node;
  const countsSolutions = aggregates.some(({ expression, distinct }) => expression === undefined && distinct);
  const scope = visibleIn(child, row);
  const own = scopeOf(child).possible;
  const needed = together(namesIn(expressionsOf(node)), countsSolutions ? own : []);
  const plan = group(
    row === undefined ? yield* compileGrouped(compiler, node, needed) : yield* compiler.within(child, needed, row),
    keys.map(({ variable, expression }) => ({
      slot: compiler.slots.of(variable),
      expression: compiler.expression(expression, scope),
    })),
    aggregates.map(({ variable, expression, ...aggregate }) => ({
      ...aggregate,
      slot: compiler.slots.of(variable),
      expression: expression && compiler.expression(expression, scope),
    })),
    compiler.slots.all(countsSolutions ? [...own].filter((variable) => !variable.startsWith('_:')) : []),
  );
  return row === undefined ? (compileRowCounts(compiler, node, plan) ?? plan) : plan;
}

/** Compiles the input of a grouping: the distinct values of one variable where no aggregate looks at more. */
function* compileGrouped(compiler: Planner, { child, keys, aggregates }: Group, needed: ReadonlySet<string>): Planning {
  const plan = yield* compiler.alone(child, needed);
  const variable = keys.length === 0 ? distinctValuesOf(aggregates) : undefined;
  const sorted = variable === undefined ? undefined : toSortedPattern(child, variable);
  return sorted === undefined ? plan : compileRuns(compiler, sorted, [], plan);
}

/** Counts of the rows of one pattern by one of its variables: read off the sorted columns. */
function compileRowCounts(compiler: Planner, { child, keys, aggregates }: Group, otherwise: Plan): Plan | undefined {
  const [key] = keys;
  if (keys.length !== 1 || key.expression.type !== 'variable' || key.expression.name !== key.variable) return undefined;
  const sorted = toSortedPattern(child, key.variable);
  if (sorted === undefined || !aggregates.every((aggregate) => countsRows(aggregate, sorted))) return undefined;
  return compileRuns(compiler, sorted, compiler.slots.all(aggregates.map(({ variable }) => variable)), otherwise);
}

/** DISTINCT: read off the sorted columns where one pattern has them. */
export function* compileDistinct(
  compiler: Planner,
  { child }: Extract<Algebra, { type: 'distinct' }>,
  row: PlanInput | undefined,
): Planning {
  const names = scopeOf(child).possible;
  const plan = pipeline([yield* compiler.within(child, names, row), distinct(compiler.slots.all(names))]);
  if (row !== undefined) return plan;
  const pattern = child.type === 'project' ? child.child : child;
  const sorted = names.size === 1 ? toSortedPattern(pattern, [...names][0]) : undefined;
  return sorted === undefined ? plan : compileRuns(compiler, sorted, [], plan);
}

function compileRuns(compiler: Planner, sorted: SortedPattern, countSlots: readonly number[], otherwise: Plan): Plan {
  const { pattern, variable, permutation, column } = sorted;
  return runScan({ pattern, permutation, column, slot: compiler.slots.of(variable), countSlots, otherwise });
}
