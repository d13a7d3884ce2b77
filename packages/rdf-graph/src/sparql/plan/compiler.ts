import { CodedError } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import type { Algebra, Expression } from '../algebra/algebra.ts';
import { scopeOf, variablesOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import type { PreparedEvaluator } from '../execute/exists.ts';
import { hashJoin } from '../execute/joins.ts';
import { extend, graphLoop, pass, pipeline, project, union, values } from '../execute/pipes.ts';
import { canPipe } from './can-pipe.ts';
import { compileExpression } from './compile-expression.ts';
import { conjuncts } from './conjuncts.ts';
import { compileDistinct, compileGroup } from './group-compiler.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import { compileJoin, compileOperand } from './join-compiler.ts';
import type { Statistics } from './join-order.ts';
import { compileLeftJoin, compileMinus } from './optional-compiler.ts';
import { compileOrder, compileSlice } from './order-compiler.ts';
import type { ExpressionScope, Planner, Planning } from './planner.ts';
import { PlanningWork } from './planning-work.ts';
import { Slots } from './slots.ts';

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
        return yield* compileLeftJoin(this, node, input);
      case 'minus':
        return yield* compileMinus(this, node, input);
      case 'extend':
        return yield* this.#compileExtend(node, input);
      case 'graph':
        return yield* this.#compileGraph(node, input);
      case 'project': {
        const needed = together(shared(input.needed, new Set(node.variables)), shared(input.needed, input.possible));
        return yield* this.compile(node.child, { ...input, needed });
      }
      default:
        return yield* this.#joinAlone(node, input);
    }
  }

  compileExists(pattern: Algebra, scope: ExpressionScope): { plan: Plan; rowSlot: number } {
    const rowSlot = this.slots.hidden();
    const input: PlanInput = { ...scope, needed: new Set(), carried: [rowSlot], isCorrelated: true, isUnit: false };
    return { plan: runAtOnce(this.compile(pattern, input)), rowSlot };
  }

  expression(expression: Expression, scope: ExpressionScope): PreparedEvaluator {
    return compileExpression(this, expression, scope);
  }

  /** Patterns whose solutions do not depend on the rows: computed once, then joined by hashing. */
  *#joinAlone(node: Algebra, input: PlanInput): Planning {
    const { possible, certain } = scopeOf(node);
    const common = shared(possible, input.possible);
    const needed = together(shared(possible, input.needed), common);
    const alone = yield* this.compileAlone(node, aloneInput(needed));
    if (input.isUnit) return alone;
    const keys = common.filter((name) => certain.has(name) && input.certain.has(name));
    return hashJoin(alone, {
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

  *compileAlone(node: Algebra, input: PlanInput): Planning {
    switch (node.type) {
      case 'values':
        return values(this.slots.all(node.variables), node.rows);
      case 'group':
        return yield* compileGroup(this, node);
      case 'orderBy':
        return yield* compileOrder(this, node, input);
      case 'distinct':
        return yield* compileDistinct(this, node);
      case 'slice':
        return yield* compileSlice(this, node, input);
      case 'project': {
        const needed = shared(input.needed, new Set(node.variables));
        const child = yield* this.childAlone(node.child, new Set(needed));
        return pipeline([child, project(this.slots.all(needed))]);
      }
      case 'service':
        return refuseService(node.silent, node.iri);
      default:
        return yield* this.compile(node, input);
    }
  }

  childAlone(child: Algebra, needed: ReadonlySet<string>): Planning {
    return this.compileAlone(child, aloneInput(needed));
  }

  #compileFilter(node: Extract<Algebra, { type: 'filter' }>, input: PlanInput): Planning {
    const conditions = node.conditions.flatMap(conjuncts);
    const { child } = node;
    if (child.type === 'bgp' || child.type === 'join') return compileJoin(this, operandsOf(child), conditions, input);
    return compileJoin(this, [child], conditions, input);
  }

  /** A chain of BINDs at once: each copies no scope of those before. */
  *#compileExtend(node: Extract<Algebra, { type: 'extend' }>, input: PlanInput): Planning {
    const chain: Extract<Algebra, { type: 'extend' }>[] = [node];
    let child: Algebra = node.child;
    for (; child.type === 'extend' && canPipe(child, input.possible, input.isCorrelated); child = child.child) {
      chain.unshift(child);
    }
    const expressions = chain.flatMap(({ assignments }) => assignments.map(({ expression }) => expression));
    const names = together(...expressions.map((expression) => variablesOf(expression)));
    const plans = [yield* this.compile(child, { ...input, needed: together(input.needed, names) })];
    const possible = together(input.possible, scopeOf(child).possible);
    const scope = { possible, certain: together(input.certain, scopeOf(child).certain) };
    for (const { assignments } of chain) {
      plans.push(
        extend(
          assignments.map(
            ({ variable, expression }) => [this.slots.of(variable), this.expression(expression, scope)] as const,
          ),
        ),
      );
      for (const { variable } of assignments) possible.add(variable);
    }
    return pipeline(plans);
  }

  *#compileGraph(node: Extract<Algebra, { type: 'graph' }>, input: PlanInput): Planning {
    const { loop, variable, child } = node;
    const needed = scopeOf(child).possible.has(variable) ? together(input.needed, [variable]) : input.needed;
    const plan = yield* this.compile(child, { ...input, needed, isUnit: false });
    return graphLoop(loop, this.slots.of(variable), plan);
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
