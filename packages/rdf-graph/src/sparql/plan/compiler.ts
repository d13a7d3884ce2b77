import { CodedError } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import type { Algebra, Assignment, Expression } from '../algebra/algebra.ts';
import {
  conjuncts,
  expressionsOf,
  hasExists,
  mentionedIn,
  namesIn,
  type Scope,
  scopeOf,
} from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { filter, type PreparedEvaluator } from '../execute/exists.ts';
import { antiJoin, hashJoin, leftJoin, minus } from '../execute/joins.ts';
import { whereGraphIs } from '../execute/named-graph.ts';
import { orderBy } from '../execute/order.ts';
import { copyColumns, joinEachRow, minusEachRow } from '../execute/outer-row.ts';
import { extend, graphLoop, pass, pipeline, project, slice, union, values } from '../execute/pipes.ts';
import { topK } from '../execute/top-k.ts';
import { canPipe } from './can-pipe.ts';
import { compileExpression } from './compile-expression.ts';
import { compileDistinct, compileGroup } from './group-compiler.ts';
import { isIndependent, minusSeesOuterRow } from './independence.ts';
import { aloneInput, type OuterRow, outerRowFor, type PlanInput, shared, together, visibleIn } from './input.ts';
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
    return canPipe(node, input) ? yield* this.#pipe(node, input) : yield* this.#joinAlone(node, input);
  }

  *#pipe(node: Algebra, input: PlanInput): Planning {
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
    const mentioned = mentionedIn(pattern);
    const names = new Set(shared(scope.possible, mentioned));
    const certain = new Set(shared(scope.certain, mentioned));
    const unsure = [...names].filter((name) => !certain.has(name));
    const copies = new Map(unsure.map((name) => [name, this.slots.hidden()]));
    const input: PlanInput = {
      possible: scope.possible,
      certain: scope.certain,
      needed: new Set(),
      carried: [rowSlot, ...copies.values()],
      outer: { names, certain, copies },
      isOuterRow: true,
      isUnit: false,
    };
    const plan = runAtOnce(this.compile(pattern, input));
    if (copies.size === 0) return { plan, rowSlot };
    const moves = [...copies].map(([name, copy]) => ({ from: this.slots.of(name), to: copy }));
    return { plan: pipeline([copyColumns(moves), plan]), rowSlot };
  }

  expression(expression: Expression, scope: Scope): PreparedEvaluator {
    return compileExpression(this, expression, scope);
  }

  /** Patterns whose solutions do not depend on the rows: computed once, then joined by hashing. */
  *#joinAlone(node: Algebra, input: PlanInput): Planning {
    const { outer } = input;
    if (outer !== undefined && !isIndependent(node, outer.names)) return yield* this.#joinEach(node, input, outer);
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

  /** Inside EXISTS, patterns whose solutions depend on the outer row: evaluated for each, then joined with it. */
  *#joinEach(node: Algebra, input: PlanInput, outer: OuterRow): Planning {
    const own = outerRowFor(mentionedIn(node), outer);
    const { possible } = scopeOf(node);
    const common = shared(possible, input.possible);
    const needed = together(shared(possible, input.needed), common);
    const carried = [...own.copies.values()];
    const row = { possible: own.names, certain: own.certain, needed, carried, outer: own, isOuterRow: true };
    const plan = yield* this.#ofOuterRow(node, { ...row, isUnit: false });
    const moves = [...own.names].map((name) => {
      const slot = this.slots.of(name);
      return { from: own.copies.get(name) ?? slot, to: slot };
    });
    return joinEachRow(plan, {
      moves: [...moves, ...carried.map((slot) => ({ from: slot, to: slot }))],
      loose: this.slots.all(common),
      right: this.slots.all(needed),
      kept: this.kept(input),
    });
  }

  *#ofOuterRow(node: Algebra, row: PlanInput): Planning {
    return isAlone(node) ? yield* this.alone(node, row.needed, row) : yield* this.#pipe(node, row);
  }

  kept(input: PlanInput): number[] {
    this.work.names(Math.min(input.needed.size, input.possible.size));
    const slots = this.slots.allShared(input.needed, input.possible);
    for (const slot of input.carried) slots.push(slot);
    return slots;
  }

  *alone(node: Algebra, needed: ReadonlySet<string>, row?: PlanInput): Planning {
    switch (node.type) {
      case 'values':
        return values(this.slots.all(node.variables), node.rows);
      case 'group':
        return yield* compileGroup(this, node, row);
      case 'orderBy':
        return yield* this.#compileOrder(node, { needed, row });
      case 'distinct':
        return yield* compileDistinct(this, node, row);
      case 'slice':
        return yield* this.#compileSlice(node, { needed, row });
      case 'project': {
        const shown = shared(needed, new Set(node.variables));
        const child = yield* this.within(node.child, new Set(shown), row);
        return pipeline([child, project(this.slots.all(shown))]);
      }
      case 'service':
        return refuseService(node.silent, node.iri);
      default:
        return yield* this.compile(node, row === undefined ? aloneInput(needed) : { ...row, needed });
    }
  }

  *within(child: Algebra, needed: ReadonlySet<string>, row: PlanInput | undefined): Planning {
    // A table of VALUES drops what the outer row has, which expressions after it may read.
    if (row !== undefined && child.type === 'values') return yield* this.compile(child, { ...row, needed });
    return yield* this.alone(child, needed, row);
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
      isOuterRow: false,
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

  *#compileMinus(node: Node<'minus'>, input: PlanInput): Planning {
    const { left, right } = node;
    const common = shared(scopeOf(right).possible, scopeOf(left).possible);
    const leftPlan = yield* this.compile(left, { ...input, needed: together(input.needed, common) });
    if (common.length === 0) return leftPlan;
    if (minusSeesOuterRow(node, input.outer)) {
      const rightPlan = yield* this.compile(right, { ...input, needed: new Set(common), carried: copiesOf(input) });
      return minusEachRow(leftPlan, rightPlan, this.slots.all(common));
    }
    const certain = together(input.certain, scopeOf(left).certain);
    const keys = common.filter((name) => certain.has(name) && scopeOf(right).certain.has(name));
    const names = new Set(common);
    if (keys.length === common.length && canPipe(right, { ...aloneInput(names), possible: names })) {
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
    for (; child.type === 'extend' && canPipe(child, input); child = child.child) {
      chain.unshift(child);
    }
    const names = namesIn(chain.flatMap(expressionsOf));
    const plans = [yield* this.compile(child, { ...input, needed: together(input.needed, names) })];
    const possible = together(input.possible, scopeOf(child).possible);
    const scope = { possible, certain: together(input.certain, scopeOf(child).certain) };
    for (const { assignments } of chain) {
      for (const group of beforeExists(assignments)) {
        const evaluated = group.map(({ expression }) => this.expression(expression, scope));
        plans.push(extend(group.map(({ variable }, i) => [this.slots.of(variable), evaluated[i]])));
        for (const { variable } of group) possible.add(variable);
      }
    }
    return pipeline(plans);
  }

  *#compileGraph(node: Node<'graph'>, input: PlanInput): Planning {
    const { loop, variable, child } = node;
    const isCompared = scopeOf(child).possible.has(variable) || input.possible.has(variable);
    const needed = isCompared ? together(input.needed, [variable]) : input.needed;
    const plan = yield* this.compile(child, { ...input, needed, isUnit: false });
    return graphLoop(loop, this.slots.of(variable), plan);
  }

  /** ORDER BY; with a limit only the first rows are kept. */
  *#compileOrder(node: Node<'orderBy'>, { needed: wanted, row }: Wanted, limit?: number): Planning {
    const scope = visibleIn(node.child, row);
    const keys = node.keys.map(({ expression, descending }) => ({
      expression: this.expression(expression, scope),
      descending,
    }));
    const order = limit === undefined ? orderBy(keys) : topK(keys, limit);
    return pipeline([yield* this.within(node.child, together(wanted, namesIn(expressionsOf(node))), row), order]);
  }

  /** LIMIT and OFFSET: with ORDER BY below only the first rows are kept. */
  *#compileSlice({ child, offset, limit }: Node<'slice'>, { needed: wanted, row }: Wanted): Planning {
    const sliced = slice(offset, limit);
    const isTopK = child.type === 'project' && child.child.type === 'orderBy' && limit !== undefined && limit > 0;
    if (!isTopK || offset + limit > MAX_TOP_ROWS) return pipeline([yield* this.within(child, wanted, row), sliced]);
    const needed = new Set(shared(wanted, new Set(child.variables)));
    const order = yield* this.#compileOrder(child.child, { needed, row }, offset + limit);
    return pipeline([order, project(this.slots.all(needed)), sliced]);
  }
}

/** The variables that are wanted of a pattern, and inside EXISTS the outer row. */
interface Wanted {
  readonly needed: ReadonlySet<string>;
  readonly row: PlanInput | undefined;
}

/** The operations that make their solutions alone. */
function isAlone({ type }: Algebra): boolean {
  return ['values', 'group', 'orderBy', 'distinct', 'slice', 'project', 'service'].includes(type);
}

function copiesOf({ outer }: PlanInput): number[] {
  return outer === undefined ? [] : [...outer.copies.values()];
}

/** Assignments in groups: EXISTS is decided for whole batches, so that what it may read has to be assigned before. */
function beforeExists(assignments: readonly Assignment[]): Assignment[][] {
  const groups: Assignment[][] = [[]];
  for (const assignment of assignments) {
    const last = groups[groups.length - 1];
    if (last.length > 0 && hasExists(assignment.expression)) groups.push([assignment]);
    else last.push(assignment);
  }
  return groups;
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
