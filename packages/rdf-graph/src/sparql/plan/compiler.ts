import { CodedError } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import type { Algebra, Expression } from '../algebra/algebra.ts';
import { conjuncts, expressionsOf, mentionedIn, namesIn, type Scope, scopeOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { filter, type PreparedEvaluator } from '../execute/exists.ts';
import { antiJoin, hashJoin, leftJoin, minus } from '../execute/joins.ts';
import { whereGraphIs } from '../execute/named-graph.ts';
import { orderBy } from '../execute/order.ts';
import { extend, graphLoop, pass, pipeline, project, slice, union, values } from '../execute/pipes.ts';
import { topK } from '../execute/top-k.ts';
import { canPipe } from './can-pipe.ts';
import { compileExpression } from './compile-expression.ts';
import { compileDistinct, compileGroup } from './group-compiler.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import { compileJoin, compileOperand } from './join-compiler.ts';
import type { Statistics } from './join-order.ts';
import type { Planner, Planning } from './planner.ts';
import { PlanningWork } from './planning-work.ts';
import { Slots } from './slots.ts';

type Node<Type extends Algebra['type']> = Extract<Algebra, { type: Type }>;

/** Beyond this many rows ORDER BY with LIMIT sorts everything. */
const MAX_TOP_ROWS = 1 << 14;

/** Turns algebra into plans that extend rows, in slices: what it copies grows with the square of a query's length. */
export class Compiler implements Planner {
  readonly slots: Slots = new Slots();
  readonly statistics: Statistics;
  readonly work: PlanningWork;

  constructor(statistics: Statistics, work: PlanningWork = new PlanningWork()) {
    this.statistics = statistics;
    this.work = work;
  }

  *compile(node: Algebra, input: PlanInput): Planning {
    this.work.names(input.possible.size + input.needed.size);
    if (this.work.isDue()) yield;
    if (!canPipe(node, input.possible, input.isCorrelated)) return yield* this.#joinAlone(node, input);
    switch (node.type) {
      case 'bgp':
      case 'join':
        return yield* compileJoin(this, operandsOf(node), [], input);
      case 'filter':
        return yield* this.#compileFilter(node, input);
      case 'path':
      case 'unquote':
        return yield* compileOperand(this, node, input);
      case 'union': {
        const plans: Plan[] = [];
        for (const operand of node.operands) plans.push(yield* this.compile(operand, input));
        return union(plans);
      }
      case 'leftJoin':
        return yield* this.#compileLeftJoin(node, input);
      case 'minus':
        return yield* this.#compileMinus(node, input);
      case 'extend':
        return yield* this.#compileExtend(node, input);
      case 'graph':
        return yield* this.#compileGraph(node, input);
      case 'namedGraph':
        return whereGraphIs(node.graph);
      case 'project': {
        const needed = together(shared(input.needed, new Set(node.variables)), shared(input.needed, input.possible));
        return yield* this.compile(node.child, { ...input, needed });
      }
      default:
        return yield* this.#joinAlone(node, input);
    }
  }

  compileExists(pattern: Algebra, scope: Scope): { plan: Plan; rowSlot: number } {
    const rowSlot = this.slots.hidden();
    const input: PlanInput = { ...scope, needed: new Set(), carried: [rowSlot], isCorrelated: true, isUnit: false };
    return { plan: runAtOnce(this.compile(pattern, input)), rowSlot };
  }

  expression(expression: Expression, scope: Scope): PreparedEvaluator {
    return compileExpression(this, expression, scope);
  }

  /** Patterns whose solutions do not depend on the rows: computed once, then joined by hashing. */
  *#joinAlone(node: Algebra, input: PlanInput): Planning {
    const { possible, certain } = scopeOf(node);
    const common = shared(possible, input.possible);
    const needed = together(shared(possible, input.needed), common);
    const table = yield* this.alone(node, needed);
    if (input.isUnit) return table;
    const keys = common.filter((name) => certain.has(name) && input.certain.has(name));
    return hashJoin(table, {
      keys: this.slots.all(keys),
      loose: this.slots.all(common.filter((name) => !keys.includes(name))),
      right: this.slots.all([...needed].filter((name) => !keys.includes(name))),
      kept: this.kept(input),
    });
  }

  kept(input: PlanInput): number[] {
    this.work.names(Math.min(input.needed.size, input.possible.size));
    const slots = this.slots.allShared(input.needed, input.possible);
    for (const slot of input.carried) slots.push(slot);
    return slots;
  }

  *alone(node: Algebra, needed: ReadonlySet<string>): Planning {
    switch (node.type) {
      case 'values':
        return values(this.slots.all(node.variables), node.rows);
      case 'group':
        return yield* compileGroup(this, node);
      case 'orderBy':
        return yield* this.#compileOrder(node, needed);
      case 'distinct':
        return yield* compileDistinct(this, node);
      case 'slice':
        return yield* this.#compileSlice(node, needed);
      case 'project': {
        const shown = shared(needed, new Set(node.variables));
        const child = yield* this.alone(node.child, new Set(shown));
        return pipeline([child, project(this.slots.all(shown))]);
      }
      case 'service':
        return refuseService(node.silent, node.iri);
      default:
        return yield* this.compile(node, aloneInput(needed));
    }
  }

  #compileFilter(node: Node<'filter'>, input: PlanInput): Planning {
    const conditions = node.conditions.flatMap(conjuncts);
    return compileJoin(this, operandsOf(node.child), conditions, input);
  }

  /** OPTIONAL: rows of the left side that the right one does not extend come through as they are. */
  *#compileLeftJoin({ left, right, conditions }: Node<'leftJoin'>, input: PlanInput): Planning {
    const conditionNames = namesIn(conditions);
    const leftNeeded = together(input.needed, mentionedIn(right), conditionNames);
    const leftPlan = yield* this.compile(left, { ...input, needed: leftNeeded });
    const rowSlot = this.slots.hidden();
    const scope = scopeOf(left);
    const rightInput: PlanInput = {
      ...input,
      possible: together(input.possible, scope.possible),
      certain: together(input.certain, scope.certain),
      needed: together(input.needed, conditionNames),
      carried: [...input.carried, rowSlot],
      isUnit: false,
    };
    let rightPlan = yield* this.compile(right, rightInput);
    if (conditions.length > 0) {
      const inside = { ...rightInput, possible: together(rightInput.possible, scopeOf(right).possible) };
      const tests = conditions.flatMap(conjuncts).map((condition) => this.expression(condition, inside));
      rightPlan = pipeline([rightPlan, filter(tests)]);
    }
    const kept = [...this.slots.all(shared(leftNeeded, rightInput.possible)), ...input.carried];
    return pipeline([leftPlan, leftJoin(rightPlan, rowSlot, kept)]);
  }

  *#compileMinus({ left, right }: Node<'minus'>, input: PlanInput): Planning {
    const common = shared(scopeOf(right).possible, scopeOf(left).possible);
    const leftPlan = yield* this.compile(left, { ...input, needed: together(input.needed, common) });
    if (common.length === 0) return leftPlan;
    const certain = together(input.certain, scopeOf(left).certain);
    const keys = common.filter((name) => certain.has(name) && scopeOf(right).certain.has(name));
    const names = new Set(common);
    if (keys.length === common.length && canPipe(right, names, false)) {
      const rowSlot = this.slots.hidden();
      const bound = { possible: names, certain: names, carried: [rowSlot], isUnit: false };
      const rightPlan = yield* this.compile(right, { ...aloneInput(new Set()), ...bound });
      return pipeline([leftPlan, antiJoin(rightPlan, rowSlot, this.slots.all(keys))]);
    }
    const table = yield* this.alone(right, names);
    const loose = common.filter((name) => !keys.includes(name));
    return pipeline([leftPlan, minus(table, this.slots.all(keys), this.slots.all(loose))]);
  }

  /** A chain of BINDs at once: each copies no scope of those before. */
  *#compileExtend(node: Node<'extend'>, input: PlanInput): Planning {
    const chain: Node<'extend'>[] = [node];
    let child: Algebra = node.child;
    for (; child.type === 'extend' && canPipe(child, input.possible, input.isCorrelated); child = child.child) {
      chain.unshift(child);
    }
    const names = namesIn(chain.flatMap(expressionsOf));
    const plans = [yield* this.compile(child, { ...input, needed: together(input.needed, names) })];
    const possible = together(input.possible, scopeOf(child).possible);
    const scope = { possible, certain: together(input.certain, scopeOf(child).certain) };
    for (const { assignments } of chain) {
      const evaluated = assignments.map(({ expression }) => this.expression(expression, scope));
      plans.push(extend(assignments.map(({ variable }, i) => [this.slots.of(variable), evaluated[i]])));
      for (const { variable } of assignments) possible.add(variable);
    }
    return pipeline(plans);
  }

  *#compileGraph(node: Node<'graph'>, input: PlanInput): Planning {
    const { loop, variable, child } = node;
    const needed = scopeOf(child).possible.has(variable) ? together(input.needed, [variable]) : input.needed;
    const plan = yield* this.compile(child, { ...input, needed, isUnit: false });
    return graphLoop(loop, this.slots.of(variable), plan);
  }

  /** ORDER BY; with a limit only the first rows are kept. */
  *#compileOrder(node: Node<'orderBy'>, wanted: ReadonlySet<string>, limit?: number): Planning {
    const scope = scopeOf(node.child);
    const keys = node.keys.map(({ expression, descending }) => ({
      expression: this.expression(expression, scope),
      descending,
    }));
    const order = limit === undefined ? orderBy(keys) : topK(keys, limit);
    return pipeline([yield* this.alone(node.child, together(wanted, namesIn(expressionsOf(node)))), order]);
  }

  /** LIMIT and OFFSET: with ORDER BY below only the first rows are kept. */
  *#compileSlice({ child, offset, limit }: Node<'slice'>, wanted: ReadonlySet<string>): Planning {
    const sliced = slice(offset, limit);
    const isTopK = child.type === 'project' && child.child.type === 'orderBy' && limit !== undefined && limit > 0;
    if (!isTopK || offset + limit > MAX_TOP_ROWS) return pipeline([yield* this.alone(child, wanted), sliced]);
    const needed = new Set(shared(wanted, new Set(child.variables)));
    const order = yield* this.#compileOrder(child.child, needed, offset + limit);
    return pipeline([order, project(this.slots.all(needed)), sliced]);
  }
}

/** A basic graph pattern as one operand per triple, so that all are ordered together. */
function operandsOf(node: Algebra): Algebra[] {
  if (node.type === 'bgp') {
    return node.patterns.length === 1 ? [node] : node.patterns.map((pattern) => ({ type: 'bgp', patterns: [pattern] }));
  }
  return node.type === 'join' ? node.operands.flatMap(operandsOf) : [node];
}

function refuseService(silent: boolean, iri: string | undefined): Plan {
  if (silent) return pass;
  throw new CodedError({
    code: 'ERR_SERVICE_REFUSED',
    kind: 'denied',
    message: `SERVICE is not allowed here${iri === undefined ? '' : `: ${iri}`}`,
  });
}
