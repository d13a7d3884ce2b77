import type { Algebra } from '../algebra/algebra.ts';
import { scopeOf, variablesOf } from '../algebra/variables.ts';
import { orderBy } from '../execute/order.ts';
import { pipeline, project, slice } from '../execute/pipes.ts';
import { topK } from '../execute/top-k.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import type { Planner, Planning } from './planner.ts';

/** Beyond this many rows ORDER BY with LIMIT sorts everything. */
const MAX_TOP_ROWS = 1 << 14;

/** ORDER BY; with a limit only the first rows are kept. */
export function* compileOrder(
  compiler: Planner,
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
  const order = limit === undefined ? orderBy(keys) : topK(keys, limit);
  return pipeline([yield* compiler.childAlone(node.child, needed), order]);
}

/** LIMIT and OFFSET. */
export function* compileSlice(
  compiler: Planner,
  node: Extract<Algebra, { type: 'slice' }>,
  input: PlanInput,
): Planning {
  return pipeline([yield* compileSliced(compiler, node, input), slice(node.offset, node.limit)]);
}

/** Compiles LIMIT and OFFSET: with ORDER BY below it only the first rows are kept. */
function* compileSliced(
  compiler: Planner,
  { child, offset, limit }: Extract<Algebra, { type: 'slice' }>,
  input: PlanInput,
): Planning {
  const isTopK = child.type === 'project' && child.child.type === 'orderBy' && limit !== undefined && limit > 0;
  if (!isTopK || offset + limit > MAX_TOP_ROWS) return yield* compiler.childAlone(child, input.needed);
  const needed = new Set(shared(input.needed, new Set(child.variables)));
  const order = yield* compileOrder(compiler, child.child, aloneInput(needed), offset + limit);
  return pipeline([order, project(compiler.slots.all(needed))]);
}
