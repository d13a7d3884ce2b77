import { CodedError } from '@cairn/errors';
import type { Algebra, Expression, PatternGraph, TriplePattern } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { FilterPlan, type PreparedEvaluator } from '../execute/exists.ts';
import { GroupPlan } from '../execute/group.ts';
import { IntersectJoin } from '../execute/intersect-join.ts';
import { AntiJoin, HashJoin, LeftJoinPlan, MinusPlan } from '../execute/joins.ts';
import { LookupJoin } from '../execute/lookup-join.ts';
import { OrderPlan } from '../execute/order.ts';
import { PathJoin } from '../execute/path.ts';
import { type GraphPlace, PatternJoin, type PatternPlaces, type Place } from '../execute/pattern-join.ts';
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
import { RunScan } from '../execute/run-scan.ts';
import { TopKPlan } from '../execute/top-k.ts';
import { canPipe } from './can-pipe.ts';
import { compileExpression, type ExpressionScope } from './compile-expression.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import { findIntersection, type Intersection, permutationOf } from './intersection.ts';
import { nextOperand, type Statistics } from './join-order.ts';
import { toLookup } from './lookup.ts';
import { toPlaces } from './places.ts';
import { countsRows, distinctValuesOf, type SortedPattern, toSortedPattern } from './run-scan.ts';
import { Slots } from './slots.ts';

/** Beyond this many rows ORDER BY with LIMIT sorts everything. */
const MAX_TOP_ROWS = 1 << 14;

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
        const distinct = new Pipeline([child, new DistinctPlan(this.slots.all(names))]);
        const sorted = names.size === 1 ? toSortedPattern(withoutProject(node.child), [...names][0]!) : undefined;
        return sorted === undefined ? distinct : this.#compileRuns(sorted, [], distinct);
      }
      case 'slice':
        return new Pipeline([this.#compileSliced(node, input), new SlicePlan(node.offset, node.limit)]);
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
    const countsSolutions = aggregates.some(({ expression, distinct }) => expression === undefined && distinct);
    const scope = scopeOf(child);
    const needed = together(
      ...expressions.map((expression) => variablesOf(expression)),
      countsSolutions ? scope.possible : [],
    );
    const group = new GroupPlan(
      this.#compileGrouped(node, needed),
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
      this.slots.all(countsSolutions ? [...scope.possible].filter((variable) => !variable.startsWith('_:')) : []),
    );
    return this.#compileRowCounts(node, group) ?? group;
  }

  /** What is grouped: the distinct values of one variable where no aggregate looks at more. */
  #compileGrouped({ child, keys, aggregates }: Extract<Algebra, { type: 'group' }>, needed: ReadonlySet<string>): Plan {
    const plan = this.#childAlone(child, needed);
    const variable = keys.length === 0 ? distinctValuesOf(aggregates) : undefined;
    const sorted = variable === undefined ? undefined : toSortedPattern(child, variable);
    return sorted === undefined ? plan : this.#compileRuns(sorted, [], plan);
  }

  /** Counts of the rows of one pattern by one of its variables: read off the sorted columns. */
  #compileRowCounts(
    { child, keys, aggregates }: Extract<Algebra, { type: 'group' }>,
    otherwise: Plan,
  ): Plan | undefined {
    const [key] = keys;
    if (keys.length !== 1 || key!.expression.type !== 'variable' || key!.expression.name !== key!.variable)
      return undefined;
    const sorted = toSortedPattern(child, key!.variable);
    if (sorted === undefined || !aggregates.every((aggregate) => countsRows(aggregate, sorted))) return undefined;
    return this.#compileRuns(sorted, this.slots.all(aggregates.map(({ variable }) => variable)), otherwise);
  }

  #compileRuns(
    { pattern, variable, permutation, column }: SortedPattern,
    countSlots: readonly number[],
    otherwise: Plan,
  ): Plan {
    const { subject, predicate, object, graph } = pattern;
    const places = toPlaces([subject, predicate, object, graph], aloneInput(new Set()), this.slots);
    return new RunScan({
      places: {
        subject: places[0] as Place,
        predicate: places[1] as Place,
        object: places[2] as Place,
        graph: places[3]!,
      },
      permutation,
      column,
      slot: this.slots.of(variable),
      countSlots,
      otherwise,
    });
  }

  #compileOrder(node: Extract<Algebra, { type: 'orderBy' }>, input: PlanInput, limit?: number): Plan {
    const scope = scopeOf(node.child);
    const needed = together(input.needed, ...node.keys.map(({ expression }) => variablesOf(expression)));
    const keys = node.keys.map(({ expression, descending }) => ({
      expression: this.expression(expression, scope),
      descending,
    }));
    const order = limit === undefined ? new OrderPlan(keys) : new TopKPlan(keys, limit);
    return new Pipeline([this.#childAlone(node.child, needed), order]);
  }

  /** What LIMIT and OFFSET cut: with ORDER BY below it only the first rows are kept. */
  #compileSliced({ child, offset, limit }: Extract<Algebra, { type: 'slice' }>, input: PlanInput): Plan {
    const isTopK = child.type === 'project' && child.child.type === 'orderBy' && limit !== undefined && limit > 0;
    if (!isTopK || offset + limit > MAX_TOP_ROWS) return this.#childAlone(child, input.needed);
    const needed = new Set(shared(input.needed, new Set(child.variables)));
    const order = this.#compileOrder(child.child, aloneInput(needed), offset + limit);
    return new Pipeline([order, new ProjectPlan(this.slots.all(needed))]);
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
      const intersection = findIntersection(next.node, rest, at);
      const taken = intersection?.nodes ?? [next.node];
      rest = rest.filter((node) => !taken.includes(node));
      const { possible, certain } = scopeOf(next.node);
      const inside = { ...at, needed: wanted(rest, waiting) };
      plans.push(
        intersection ? this.#compileIntersection(intersection, inside) : this.#compileOperand(next.node, inside),
      );
      at = { ...at, isUnit: false, possible: together(at.possible, possible), certain: together(at.certain, certain) };
      settle();
    }
    return plans.length === 1 ? plans[0]! : new Pipeline(plans);
  }

  /** Several patterns that leave one variable open: their sorted columns are intersected. */
  #compileIntersection({ variable, nodes }: Intersection, input: PlanInput): Plan {
    const patterns = nodes.flatMap((node) => (node.type === 'bgp' ? node.patterns : []));
    const parts = patterns.map((pattern) => ({
      places: this.#patternPlaces(pattern, input),
      permutation: permutationOf(pattern, input),
    }));
    const bound = {
      ...input,
      possible: together(input.possible, [variable]),
      certain: together(input.certain, [variable]),
    };
    const carrying = {
      ...input,
      needed: together(input.needed, [variable], ...nodes.map((node) => mentionedIn(node))),
    };
    const otherwise = patterns.map((pattern, i) =>
      this.#compilePattern(pattern, { ...(i === 0 ? carrying : { ...bound, needed: carrying.needed }), isUnit: false }),
    );
    return new IntersectJoin(parts, this.slots.of(variable), this.#kept(input), new Pipeline(otherwise));
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
    const places = this.#patternPlaces(pattern, input);
    const general = new PatternJoin(places);
    const lookup = toLookup(places);
    return lookup === undefined ? general : new LookupJoin(lookup, general);
  }

  #patternPlaces({ subject, predicate, object, graph }: TriplePattern, input: PlanInput): PatternPlaces {
    const places = toPlaces([subject, predicate, object, graph], input, this.slots);
    return {
      subject: places[0] as Place,
      predicate: places[1] as Place,
      object: places[2] as Place,
      graph: places[3]!,
      kept: this.#kept(input),
      preferred: undefined,
    };
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

/** What a projection without assignments shows one variable of. */
function withoutProject(node: Algebra): Algebra {
  return node.type === 'project' ? node.child : node;
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
