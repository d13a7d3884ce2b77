import type { Algebra, Expression, TriplePattern } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { filter } from '../execute/exists.ts';
import { intersectJoin } from '../execute/intersect-join.ts';
import { type LookupPlaces, lookupJoin } from '../execute/lookup-join.ts';
import { pathJoin } from '../execute/path.ts';
import { type PatternPlaces, patternJoin } from '../execute/pattern-join.ts';
import { pipeline } from '../execute/pipes.ts';
import { unquote } from '../execute/unquote.ts';
import { type PlanInput, together } from './input.ts';
import { findIntersection, type Intersection, permutationOf } from './intersection.ts';
import { JoinQueue } from './join-queue.ts';
import { createToPlace, toGraphPlace } from './places.ts';
import type { Planner, Planning } from './planner.ts';

/** Joins operands in the order that the statistics advise; each condition as soon as its variables are settled. */
export function* compileJoin(
  compiler: Planner,
  operands: readonly Algebra[],
  conditions: readonly Expression[],
  input: PlanInput,
): Planning {
  // Most patterns of small queries stand alone: there is no order to find.
  if (operands.length === 1 && conditions.length === 0) return yield* compileOperand(compiler, operands[0], input);
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
  // A filter may have dropped the one row.
  let isUnit = input.isUnit && plans.length === 0;
  for (let { isOuterRow } = input; queue.size > 0; isOuterRow = isUnit = false) {
    const node = queue.cheapest(at, compiler);
    const intersection = findIntersection(node, queue, at);
    queue.take(intersection?.nodes ?? [node]);
    const inside = { ...at, needed: queue.needed, isOuterRow, isUnit };
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
  const needed = together(input.needed, [variable], ...nodes.map((node) => mentionedIn(node)));
  const first = { ...input, needed, isUnit: false };
  const possible = together(input.possible, [variable]);
  const rest = { ...first, possible, certain: together(input.certain, [variable]) };
  const otherwise = patterns.map((pattern, i) => compilePattern(compiler, pattern, i === 0 ? first : rest));
  return intersectJoin(parts, compiler.slots.of(variable), compiler.kept(input), pipeline(otherwise));
}

/** One operand of a join: a single pattern, a path, a quoted triple taken apart, or anything else. */
export function* compileOperand(compiler: Planner, node: Algebra, input: PlanInput): Planning {
  if (node.type === 'bgp') return compilePattern(compiler, node.patterns[0], input);
  const toPlace = createToPlace(input, compiler.slots);
  if (node.type === 'path') {
    const [subject, object] = [node.subject, node.object].map(toPlace);
    const graph = toGraphPlace(node.graph, toPlace);
    return pathJoin({ subject, object, graph, path: node.path, kept: compiler.kept(input) });
  }
  if (node.type === 'unquote') {
    if (!input.certain.has(node.variable)) throw new Error('a quoted triple is taken apart after it was bound');
    return unquote(compiler.slots.of(node.variable), node.terms.map(toPlace));
  }
  return yield* compiler.compile(node, input);
}

function compilePattern(compiler: Planner, pattern: TriplePattern, input: PlanInput): Plan {
  const places = patternPlaces(compiler, pattern, input);
  const general = patternJoin(places);
  const lookup = toLookup(places);
  return lookup === undefined ? general : lookupJoin(lookup, general);
}

/** The places of a pattern that is a look-up by subject or object under a fixed predicate, or `undefined`. */
function toLookup({ subject, predicate, object, graph, kept }: PatternPlaces): LookupPlaces | undefined {
  if (graph.type !== 'default' || predicate.type !== 'term') return undefined;
  if (subject.type === 'bound' && (object.type === 'new' || object.type === 'bound')) {
    return { predicate: predicate.term, bySubject: true, keySlot: subject.slot, other: object, kept };
  }
  if (object.type === 'bound' && subject.type === 'new') {
    return { predicate: predicate.term, bySubject: false, keySlot: object.slot, other: subject, kept };
  }
  return undefined;
}

function patternPlaces(compiler: Planner, pattern: TriplePattern, input: PlanInput): PatternPlaces {
  const toPlace = createToPlace(input, compiler.slots);
  const [subject, predicate, object] = [pattern.subject, pattern.predicate, pattern.object].map(toPlace);
  return { subject, predicate, object, graph: toGraphPlace(pattern.graph, toPlace), kept: compiler.kept(input) };
}
