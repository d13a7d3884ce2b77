import type { Algebra } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import { filter } from '../execute/exists.ts';
import { antiJoin, leftJoin, minus } from '../execute/joins.ts';
import { pipeline } from '../execute/pipes.ts';
import { canPipe } from './can-pipe.ts';
import { conjuncts } from './conjuncts.ts';
import { aloneInput, type PlanInput, shared, together } from './input.ts';
import type { Planner, Planning } from './planner.ts';

/** OPTIONAL: rows of the left side that the right one does not extend come through as they are. */
export function* compileLeftJoin(
  compiler: Planner,
  node: Extract<Algebra, { type: 'leftJoin' }>,
  input: PlanInput,
): Planning {
  const { left, right, conditions } = node;
  const conditionNames = together(...conditions.map((condition) => variablesOf(condition)));
  const leftNeeded = together(input.needed, mentionedIn(right), conditionNames);
  const leftPlan = yield* compiler.compile(left, { ...input, needed: leftNeeded });
  const rowSlot = compiler.slots.hidden();
  const scope = scopeOf(left);
  const rightInput: PlanInput = {
    ...input,
    possible: together(input.possible, scope.possible),
    certain: together(input.certain, scope.certain),
    needed: together(input.needed, conditionNames),
    carried: [...input.carried, rowSlot],
    isUnit: false,
  };
  let rightPlan = yield* compiler.compile(right, rightInput);
  if (conditions.length > 0) {
    const inside = { ...rightInput, possible: together(rightInput.possible, scopeOf(right).possible) };
    const tests = conditions.flatMap(conjuncts).map((condition) => compiler.expression(condition, inside));
    rightPlan = pipeline([rightPlan, filter(tests)]);
  }
  const kept = [...compiler.slots.all(shared(leftNeeded, rightInput.possible)), ...input.carried];
  return pipeline([leftPlan, leftJoin(rightPlan, rowSlot, kept)]);
}

export function* compileMinus(
  compiler: Planner,
  node: Extract<Algebra, { type: 'minus' }>,
  input: PlanInput,
): Planning {
  const { left, right } = node;
  const common = shared(scopeOf(right).possible, scopeOf(left).possible);
  const leftPlan = yield* compiler.compile(left, { ...input, needed: together(input.needed, common) });
  if (common.length === 0) return leftPlan;
  const certain = together(input.certain, scopeOf(left).certain);
  const keys = common.filter((name) => certain.has(name) && scopeOf(right).certain.has(name));
  if (keys.length === common.length && canPipe(right, new Set(common), false)) {
    const rowSlot = compiler.slots.hidden();
    const names = new Set(common);
    const rightInput: PlanInput = {
      ...aloneInput(new Set()),
      possible: names,
      certain: names,
      carried: [rowSlot],
      isUnit: false,
    };
    const rightPlan = yield* compiler.compile(right, rightInput);
    return pipeline([leftPlan, antiJoin(rightPlan, rowSlot, compiler.slots.all(keys))]);
  }
  const alone = yield* compiler.compileAlone(right, aloneInput(new Set(common)));
  const loose = common.filter((name) => !keys.includes(name));
  return pipeline([leftPlan, minus(alone, compiler.slots.all(keys), compiler.slots.all(loose))]);
}
