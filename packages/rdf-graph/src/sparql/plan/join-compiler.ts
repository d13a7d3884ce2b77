import type { Algebra, Expression, PatternGraph, TriplePattern } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { filter } from '../execute/exists.ts';
import { intersectJoin } from '../execute/intersect-join.ts';
import { lookupJoin } from '../execute/lookup-join.ts';
import { pathJoin } from '../execute/path.ts';
import { type GraphPlace, type PatternPlaces, type Place, patternJoin } from '../execute/pattern-join.ts';
import { pipeline } from '../execute/pipes.ts';
import { unquote } from '../execute/unquote.ts';
import { type PlanInput, together } from './input.ts';
import { findIntersection, type Intersection, permutationOf } from './intersection.ts';
import { JoinQueue } from './join-queue.ts';
import { toLookup } from './lookup.ts';
import { toPlaces } from './places.ts';
import type { Planner, Planning } from './planner.ts';

/** Joins operands in the order that the statistics advise; each condition as soon as its variables are settled. */
export function* compileJoin(
  compiler: Planner,
  operands: readonly Algebra[],
  conditions: readonly Expression[],
  input: PlanInput,
): Planning {
  const plans: Plan[] = [];
  const queue = new JoinQueue(operands, conditions, input.needed);
  const possible = new Set(input.possible);
  const certain = new Set(input.certain);
  const at = { ...input, possible, certain };
  const settle = () => {
    const ready = queue.takeSettled();
    if (ready.length > 0) plans.push(filter(ready.map((condition) => compiler.expression(condition, at))));
  };
  settle();
  for (let isUnit = input.isUnit; queue.size > 0; isUnit = false) {
    const node = queue.cheapest(at, compiler);
    const intersection = findIntersection(node, queue, at);
    queue.take(intersection?.nodes ?? [node]);
    const inside = { ...at, needed: queue.needed, isUnit };
    plans.push(
      intersection
        ? compileIntersection(compiler, intersection, inside)
        : yield* compileOperand(compiler, node, inside),
    );
    if (compiler.work.isDue()) yield;
    const scope = scopeOf(node);
    for (const name of scope.possible) possible.add(name);
    for (const name of scope.certain) certain.add(name);
    settle();
  }
  return plans.length === 1 ? plans[0] : pipeline(plans);
}

/** Several patterns that leave one variable open: their sorted columns are intersected. */
function compileIntersection(compiler: Planner, { variable, nodes }: Intersection, input: PlanInput): Plan {
  const patterns = nodes.flatMap((node) => (node.type === 'bgp' ? node.patterns : []));
  const parts = patterns.map((pattern) => ({
    places: patternPlaces(compiler, pattern, input),
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
    compilePattern(compiler, pattern, {
      ...(i === 0 ? carrying : { ...bound, needed: carrying.needed }),
      isUnit: false,
    }),
  );
  return intersectJoin(parts, compiler.slots.of(variable), compiler.kept(input), pipeline(otherwise));
}

/** One operand of a join: a single pattern, a path, a quoted triple taken apart, or anything else. */
export function* compileOperand(compiler: Planner, node: Algebra, input: PlanInput): Planning {
  if (node.type === 'bgp') return compilePattern(compiler, node.patterns[0], input);
  if (node.type === 'path') {
    const [subject, object, graph] = endPlaces(compiler, node.subject, node.object, node.graph, input);
    return pathJoin({ subject, object, graph, path: node.path, kept: compiler.kept(input) });
  }
  if (node.type === 'unquote') {
    const slot = compiler.slots.of(node.variable);
    if (!input.certain.has(node.variable)) throw new Error('a quoted triple is taken apart after it was bound');
    return unquote(slot, toPlaces(node.terms, input, compiler.slots) as Place[]);
  }
  return yield* compiler.compile(node, input);
}

function endPlaces(
  compiler: Planner,
  subject: TriplePattern['subject'],
  object: TriplePattern['object'],
  graph: PatternGraph,
  input: PlanInput,
): [Place, Place, GraphPlace] {
  // A place for the predicate keeps the graph at its own index.
  const nothing = { type: 'default' } as const;
  const [first, second, , last] = toPlaces([subject, object, nothing, graph], input, compiler.slots);
  return [first as Place, second as Place, last];
}

function compilePattern(compiler: Planner, pattern: TriplePattern, input: PlanInput): Plan {
  const places = patternPlaces(compiler, pattern, input);
  const general = patternJoin(places);
  const lookup = toLookup(places);
  return lookup === undefined ? general : lookupJoin(lookup, general);
}

function patternPlaces(
  compiler: Planner,
  { subject, predicate, object, graph }: TriplePattern,
  input: PlanInput,
): PatternPlaces {
  const places = toPlaces([subject, predicate, object, graph], input, compiler.slots);
  return {
    subject: places[0] as Place,
    predicate: places[1] as Place,
    object: places[2] as Place,
    graph: places[3],
    kept: compiler.kept(input),
    preferred: undefined,
  };
}
