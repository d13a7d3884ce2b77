import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Scope } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import type { PreparedEvaluator } from '../execute/exists.ts';
import type { PlanInput } from './input.ts';
import type { Statistics } from './join-order.ts';
import type { PlanningWork } from './planning-work.ts';
import type { Slots } from './slots.ts';

/** A plan that is made in slices. */
export type Planning = Generator<void, Plan>;

/** The compiler of everything, as the compilers of single operations use it. */
export interface Planner {
  readonly slots: Slots;
  readonly statistics: Statistics;
  readonly work: PlanningWork;
  /** A plan that extends rows by the solutions of a pattern. */
  compile(node: Algebra, input: PlanInput): Planning;
  /** A plan over one row, and gives at least the variables needed. The row binds nothing, but for an outer one in EXISTS. */
  alone(node: Algebra, needed: ReadonlySet<string>, row?: PlanInput): Planning;
  /** The same for the child of such a plan: it gives the variables needed of the outer row, too. */
  within(child: Algebra, needed: ReadonlySet<string>, row: PlanInput | undefined): Planning;
  /** A plan for EXISTS: it gets the outer rows with their numbers in `rowSlot`. */
  compileExists(pattern: Algebra, scope: Scope): { plan: Plan; rowSlot: number };
  expression(expression: Expression, scope: Scope): PreparedEvaluator;
  /** The slots that travel on through a join. */
  kept(input: PlanInput): number[];
}
