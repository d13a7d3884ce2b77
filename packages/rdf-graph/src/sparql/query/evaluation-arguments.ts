import { badArgument, checkArray, checkObject, checkText } from '@cairn/errors';
import type { Evaluation, GraphBudget } from '../../port/graph-dataset.ts';
import { checkBound, checkFunction, checkOptional, checkSignal } from '../../rdf/arguments.ts';

/** How far an instant may be from the epoch: what a Date can hold. */
const MAX_INSTANT_MS = 8.64e15;

/** @throws `ERR_ARGUMENT` (invalid) for what are no options of an evaluation */
export function checkEvaluation(evaluation: Evaluation): void {
  checkObject(evaluation, 'the evaluation');
  const { signal, budget, baseIri, defaultGraphs, namedGraphs, nowMs, random } = evaluation;
  checkOptional(signal, 'the signal', checkSignal);
  if (budget !== undefined) checkBudget(budget);
  checkOptional(baseIri, 'baseIri', checkText);
  checkOptional(defaultGraphs, 'defaultGraphs', checkIris);
  checkOptional(namedGraphs, 'namedGraphs', checkIris);
  checkOptional(nowMs, 'nowMs', checkInstant);
  checkOptional(random, 'random', checkFunction);
}

const BOUNDS = ['timeLimitMs', 'maxRows', 'maxMemoryBytes', 'maxSolutionWork'] as const;

function checkBudget(budget: GraphBudget): void {
  checkObject(budget, 'the budget');
  for (const name of BOUNDS) checkOptional(budget[name], name, checkBound);
}

function checkIris(value: unknown, what: string): void {
  checkArray(value, what);
  for (const iri of value as readonly unknown[]) checkText(iri, `each of ${what}`);
}

function checkInstant(value: unknown, what: string): void {
  if (typeof value === 'number' && Math.abs(value) <= MAX_INSTANT_MS) return;
  throw badArgument(what, `a number of milliseconds, ${-MAX_INSTANT_MS} to ${MAX_INSTANT_MS}`, value);
}
