import { CodedError } from '@cairn/errors';
import type { Algebra, Expression, PatternGraph, TriplePattern } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { FilterPlan, type PreparedEvaluator } from '../execute/exists.ts';
import { GroupPlan } from '../execute/group.ts';
import { AntiJoin, HashJoin, LeftJoinPlan, MinusPlan } from '../execute/joins.ts';
import { OrderPlan } from '../execute/order.ts';
import { PathJoin } from '../execute/path.ts';
import { type GraphPlace, PatternJoin, type Place } from '../execute/pattern-join.ts';
import {
  DistinctPlan,
  ExtendPlan,
  GraphLoop,
  PassPlan,
  Pipeline,
  ProjectPlan,
  SlicePlan,
  UnionPlan,
  UnquotePlan,
  ValuesPlan,
} from '../execute/pipes.ts';
import { canPipe } from './can-pipe.ts';
import { compileExpression, type ExpressionScope } from './compile-expression.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import { nextOperand, type Statistics } from './join-order.ts';
import { toPlaces } from './places.ts';
import { Slots } from './slots.ts';

/** Turns algebra into plans that extend rows. */
export class Compiler {
  readonly slots: Slots = new Slots();
  readonly #statistics: Statistics;

  constructor(statistics: Statistics) {
    this.#statistics = statistics;
  }

  /** A plan that extends rows by the solutions of a pattern. */
  compile(node: Algebra, input: PlanInput): Plan {
    if (!canPipe(node, input.possible, input.isCorrelated)) return this.#joinAlone(node, input);
    switch (node.type) {
      case 'bgp':
      case 'join':
        return this.#compileJoin(operandsOf(node), [], input);
      case 'filter':
        return this.#compileFilter(node, input);
      case 'path':
      case 'unquote':
        return this.#compileOperand(node, input);
      case 'union':
        return new UnionPlan(node.operands.map((operand) => this.compile(operand, input)));
      case 'leftJoin':
        return this.#compileLeftJoin(node, input);
      case 'minus':
        return this.#compileMinus(node, input);
      case 'extend':
        return this.#compileExtend(node, input);
      case 'graph':
        return this.#compileGraph(node, input);
      case 'project': {
        const needed = together(shared(input.needed, new Set(node.variables)), shared(input.needed, input.possible));
        return this.compile(node.child, { ...input, needed });
      }
      default:
        return this.#joinAlone(node, input);
    }
  }

  /** A plan for EXISTS: it gets the outer rows with their numbers in `rowSlot`. */
  compileExists(pattern: Algebra, scope: ExpressionScope): { plan: Plan; rowSlot: number } {
    const rowSlot = this.slots.hidden();
    const input: PlanInput = { ...scope, needed: new Set(), carried: [rowSlot], isCorrelated: true, isUnit: false };
    return { plan: this.compile(pattern, input), rowSlot };
  }

  expression(expression: Expression, scope: ExpressionScope): PreparedEvaluator {
    return compileExpression(this, expression, scope);
  }

  /** Patterns whose solutions do not depend on the rows: computed once, then joined by hashing. */
  #joinAlone(node: Algebra, input: PlanInput): Plan {
    const { possible, certain } = scopeOf(node);
    const common = shared(possible, input.possible);
    const needed = together(shared(possible, input.needed), common);
    const alone = this.#compileAlone(node, aloneInput(needed));
    if (input.isUnit) return alone;
    const keys = common.filter((name) => certain.has(name) && input.certain.has(name));
    return new HashJoin(alone, {
      keys: this.slots.all(keys),
      loose: this.slots.all(common.filter((name) => !keys.includes(name))),
      right: this.slots.all([...needed].filter((name) => !keys.includes(name))),
      kept: this.#kept(input),
    });
  }

  #kept(input: PlanInput): number[] {
    return [...this.slots.all(shared(input.needed, input.possible)), ...input.carried];
  }

  /** A plan over one row that binds nothing. */
  #compileAlone(node: Algebra, input: PlanInput): Plan {
    switch (node.type) {
      case 'values':
        return new ValuesPlan(this.slots.all(node.variables), node.rows);
      case 'group':
        return this.#compileGroup(node);
      case 'orderBy':
        return this.#compileOrder(node, input);
      case 'distinct': {
        const names = scopeOf(node.child).possible;
        const child = this.#childAlone(node.child, names);
        return new Pipeline([child, new DistinctPlan(this.slots.all(names))]);
      }
      case 'slice':
        return new Pipeline([this.#childAlone(node.child, input.needed), new SlicePlan(node.offset, node.limit)]);
      case 'project': {
        const needed = shared(input.needed, new Set(node.variables));
        return new Pipeline([this.#childAlone(node.child, new Set(needed)), new ProjectPlan(this.slots.all(needed))]);
      }
      case 'service':
        return refuseService(node.silent, node.iri);
      default:
        return this.compile(node, input);
    }
  }

  #childAlone(child: Algebra, needed: ReadonlySet<string>): Plan {
    return this.#compileAlone(child, aloneInput(needed));
  }

  #compileGroup(node: Extract<Algebra, { type: 'group' }>): Plan {
    const { child, keys, aggregates } = node;
    const expressions = [...keys, ...aggregates].flatMap(({ expression }) => expression ?? []);
    const countsRows = aggregates.some(({ expression, distinct }) => expression === undefined && distinct);
    const scope = scopeOf(child);
    const needed = together(
      ...expressions.map((expression) => variablesOf(expression)),
      countsRows ? scope.possible : [],
    );
    return new GroupPlan(
      this.#childAlone(child, needed),
      keys.map(({ variable, expression }) => ({
        slot: this.slots.of(variable),
        expression: this.expression(expression, scope),
      })),
      aggregates.map(({ variable, expression, name, distinct, separator }) => ({
        slot: this.slots.of(variable),
        name,
        distinct,
        separator,
        expression: expression && this.expression(expression, scope),
      })),
      this.slots.all(countsRows ? [...scope.possible].filter((variable) => !variable.startsWith('_:')) : []),
    );
  }

  #compileOrder(node: Extract<Algebra, { type: 'orderBy' }>, input: PlanInput): Plan {
    const scope = scopeOf(node.child);
    const needed = together(input.needed, ...node.keys.map(({ expression }) => variablesOf(expression)));
    const keys = node.keys.map(({ expression, descending }) => ({
      expression: this.expression(expression, scope),
      descending,
    }));
    return new Pipeline([this.#childAlone(node.child, needed), new OrderPlan(keys)]);
  }

  #compileFilter(node: Extract<Algebra, { type: 'filter' }>, input: PlanInput): Plan {
    const conditions = node.conditions.flatMap(conjuncts);
    const { child } = node;
    if (child.type === 'bgp' || child.type === 'join') return this.#compileJoin(operandsOf(child), conditions, input);
    return this.#compileJoin([child], conditions, input);
  }

  /** Joins operands in the order that the statistics advise; each condition as soon as its variables are settled. */
  #compileJoin(operands: readonly Algebra[], conditions: readonly Expression[], input: PlanInput): Plan {
    const plans: Plan[] = [];
    let rest = [...operands];
    let waiting = [...conditions];
    let at = input;
    const wanted = (left: readonly Algebra[], filters: readonly Expression[]) =>
      together(input.needed, ...left.map((node) => mentionedIn(node)), ...filters.map((filter) => variablesOf(filter)));
    const settle = () => {
      const open = together(...rest.map((node) => scopeOf(node).possible));
      const ready = waiting.filter((condition) => ![...variablesOf(condition)].some((name) => open.has(name)));
      if (ready.length === 0) return;
      waiting = waiting.filter((condition) => !ready.includes(condition));
      plans.push(new FilterPlan(ready.map((condition) => this.expression(condition, at))));
    };
    settle();
    while (rest.length > 0) {
      const next = nextOperand(rest, at, this.#statistics);
      rest = rest.filter((node) => node !== next.node);
      const { possible, certain } = scopeOf(next.node);
      const needed = wanted(rest, waiting);
      plans.push(this.#compileOperand(next.node, { ...at, needed }));
      at = { ...at, isUnit: false, possible: together(at.possible, possible), certain: together(at.certain, certain) };
      settle();
    }
    return plans.length === 1 ? plans[0]! : new Pipeline(plans);
  }

  #compileOperand(node: Algebra, input: PlanInput): Plan {
    if (node.type === 'bgp') return this.#compilePattern(node.patterns[0]!, input);
    if (node.type === 'path') {
      const [subject, object, graph] = this.#places3(node.subject, node.object, node.graph, input);
      return new PathJoin({ subject, object, graph, path: node.path, kept: this.#kept(input) });
    }
    if (node.type === 'unquote') {
      const slot = this.slots.of(node.variable);
      if (!input.certain.has(node.variable)) throw new Error('a quoted triple is taken apart after it was bound');
      return new UnquotePlan(slot, toPlaces(node.terms, input, this.slots) as Place[]);
    }
    return this.compile(node, input);
  }

  #places3(
    subject: TriplePattern['subject'],
    object: TriplePattern['object'],
    graph: PatternGraph,
    input: PlanInput,
  ): [Place, Place, GraphPlace] {
    // A place for the predicate keeps the graph at its own index.
    const nothing = { type: 'default' } as const;
    const [first, second, , last] = toPlaces([subject, object, nothing, graph], input, this.slots);
    return [first as Place, second as Place, last!];
  }

  #compilePattern(pattern: TriplePattern, input: PlanInput): Plan {
    const { subject, predicate, object, graph } = pattern;
    const places = toPlaces([subject, predicate, object, graph], input, this.slots);
    return new PatternJoin({
      subject: places[0] as Place,
      predicate: places[1] as Place,
      object: places[2] as Place,
      graph: places[3]!,
      kept: this.#kept(input),
      preferred: undefined,
    });
  }

  #compileLeftJoin(node: Extract<Algebra, { type: 'leftJoin' }>, input: PlanInput): Plan {
    const { left, right, conditions } = node;
    const conditionNames = together(...conditions.map((condition) => variablesOf(condition)));
    const leftNeeded = together(input.needed, mentionedIn(right), conditionNames);
    const leftPlan = this.compile(left, { ...input, needed: leftNeeded });
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
    let rightPlan = this.compile(right, rightInput);
    if (conditions.length > 0) {
      const inside = { ...rightInput, possible: together(rightInput.possible, scopeOf(right).possible) };
      const filter = new FilterPlan(
        conditions.flatMap(conjuncts).map((condition) => this.expression(condition, inside)),
      );
      rightPlan = new Pipeline([rightPlan, filter]);
    }
    const kept = [...this.slots.all(shared(leftNeeded, rightInput.possible)), ...input.carried];
    return new Pipeline([leftPlan, new LeftJoinPlan(rightPlan, rowSlot, kept)]);
  }

  #compileMinus(node: Extract<Algebra, { type: 'minus' }>, input: PlanInput): Plan {
    const { left, right } = node;
    const common = shared(scopeOf(right).possible, scopeOf(left).possible);
    const leftPlan = this.compile(left, { ...input, needed: together(input.needed, common) });
    if (common.length === 0) return leftPlan;
    const certain = together(input.certain, scopeOf(left).certain);
    const keys = common.filter((name) => certain.has(name) && scopeOf(right).certain.has(name));
    if (keys.length === common.length && canPipe(right, new Set(common), false)) {
      const rowSlot = this.slots.hidden();
      const names = new Set(common);
      const rightInput: PlanInput = {
        ...aloneInput(new Set()),
        possible: names,
        certain: names,
        carried: [rowSlot],
        isUnit: false,
      };
      return new Pipeline([leftPlan, new AntiJoin(this.compile(right, rightInput), rowSlot)]);
    }
    const alone = this.#compileAlone(right, aloneInput(new Set(common)));
    const loose = common.filter((name) => !keys.includes(name));
    return new Pipeline([leftPlan, new MinusPlan(alone, this.slots.all(keys), this.slots.all(loose))]);
  }

  #compileExtend(node: Extract<Algebra, { type: 'extend' }>, input: PlanInput): Plan {
    const names = together(...node.assignments.map(({ expression }) => variablesOf(expression)));
    const child = this.compile(node.child, { ...input, needed: together(input.needed, names) });
    const scope = {
      possible: together(input.possible, scopeOf(node.child).possible),
      certain: together(input.certain, scopeOf(node.child).certain),
    };
    const assignments = node.assignments.map(
      ({ variable, expression }) => [this.slots.of(variable), this.expression(expression, scope)] as const,
    );
    return new Pipeline([child, new ExtendPlan(assignments)]);
  }

  #compileGraph(node: Extract<Algebra, { type: 'graph' }>, input: PlanInput): Plan {
    const { loop, variable, child } = node;
    const needed = scopeOf(child).possible.has(variable) ? together(input.needed, [variable]) : input.needed;
    const plan = this.compile(child, { ...input, needed, isUnit: false });
    return new GraphLoop(loop, this.slots.of(variable), plan);
  }
}

/** A basic graph pattern as one operand per triple, so that all are ordered together. */
function operandsOf(node: Algebra): Algebra[] {
  if (node.type === 'bgp') {
    return node.patterns.length === 1 ? [node] : node.patterns.map((pattern) => ({ type: 'bgp', patterns: [pattern] }));
  }
  return node.type === 'join' ? node.operands.flatMap(operandsOf) : [node];
}

function conjuncts(expression: Expression): Expression[] {
  return expression.type === 'and' ? [...conjuncts(expression.left), ...conjuncts(expression.right)] : [expression];
}

function refuseService(silent: boolean, iri: string | undefined): Plan {
  if (silent) return new PassPlan();
  throw new CodedError({
    code: 'ERR_SERVICE_REFUSED',
    kind: 'denied',
    message: `SERVICE is not allowed here${iri === undefined ? '' : `: ${iri}`}`,
  });
}
