import type { Algebra } from '../algebra/algebra.ts';
import { scopeOf, variablesOf } from '../algebra/variables.ts';
import { OrderPlan } from '../execute/order.ts';
import { Pipeline, ProjectPlan, SlicePlan } from '../execute/pipes.ts';
import { TopKPlan } from '../execute/top-k.ts';
import type { Compiler, Planning } from './compiler.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';

/** Beyond this many rows ORDER BY with LIMIT sorts everything. */
const MAX_TOP_ROWS = 1 << 14;

/** ORDER BY; with a limit only the first rows are kept. */
export function* compileOrder(
  compiler: Compiler,
  node: Extract<Algebra, { type: 'orderBy' }>,
  input: PlanInput,
  limit?: number,
): Planning {
  const scope = scopeOf(node.child);
  const needed = together(input.needed, ...node.keys.map(({ expression }) => variablesOf(expression)));
  const keys = node.keys.map(({ expression, descending }) => ({
    expression: compiler.expression(expression, scope),
    descending,
  }));
  const order = limit === undefined ? new OrderPlan(keys) : new TopKPlan(keys, limit);
  return new Pipeline([yield* compiler.childAlone(node.child, needed), order]);
}

/** LIMIT and OFFSET. */
export function* compileSlice(
  compiler: Compiler,
  node: Extract<Algebra, { type: 'slice' }>,
  input: PlanInput,
): Planning {
  return new Pipeline([yield* compileSliced(compiler, node, input), new SlicePlan(node.offset, node.limit)]);
}

/** What LIMIT and OFFSET cut: with ORDER BY below it only the first rows are kept. */
function* compileSliced(
  compiler: Compiler,
  { child, offset, limit }: Extract<Algebra, { type: 'slice' }>,
  input: PlanInput,
): Planning {
  const isTopK = child.type === 'project' && child.child.type === 'orderBy' && limit !== undefined && limit > 0;
  if (!isTopK || offset + limit > MAX_TOP_ROWS) return yield* compiler.childAlone(child, input.needed);
  const needed = new Set(shared(input.needed, new Set(child.variables)));
  const order = yield* compileOrder(compiler, child.child, aloneInput(needed), offset + limit);
  return new Pipeline([order, new ProjectPlan(compiler.slots.all(needed))]);
}
