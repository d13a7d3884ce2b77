import {
  badArgument,
  CodedError,
  checkArray,
  checkFunction,
  checkObject,
  checkSignal,
  checkText,
  resolveLimits,
} from '@cairn/errors';
import type { Evaluation, GraphBudget } from '../../graph/port/graph-dataset.ts';
import { checkOptional } from '../../rdf/arguments.ts';
import { resolveIri } from '../../rdf/iri.ts';
import { DEFAULT_MEMORY_BYTES } from '../execute/memory-budget.ts';
import { MAX_SOLUTION_WORK } from '../functions/work.ts';

/** The budget of an evaluation that names none. */
export const DEFAULT_BUDGET: { readonly [Name in keyof GraphBudget]-?: number } = {
  timeLimitMs: 30_000,
  maxRows: 10_000_000,
  maxMemoryBytes: DEFAULT_MEMORY_BYTES,
  maxSolutionWork: MAX_SOLUTION_WORK,
};

/** How far an instant may be from the epoch: what a Date can hold. */
const MAX_INSTANT_MS = 8.64e15;

/**
 * A copy of the options of an evaluation, with the lists in it, for work that pauses: each is read once.
 * @throws `ERR_ARGUMENT` or `ERR_IRI` (invalid) for what are none
 */
export function takeEvaluation(evaluation: Evaluation): Evaluation {
  checkObject(evaluation, 'the evaluation');
  const { signal, budget = {}, baseIri, defaultGraphs, namedGraphs, nowMs, random, nextTurn } = evaluation;
  checkSignal(signal);
  checkOptional(baseIri, 'baseIri', checkText);
  checkOptional(nowMs, 'nowMs', checkInstant);
  checkOptional(random, 'random', checkFunction);
  checkOptional(nextTurn, 'nextTurn', checkFunction);
  checkObject(budget, 'the budget');
  return {
    signal,
    budget: resolveLimits(budget, DEFAULT_BUDGET),
    baseIri,
    defaultGraphs: defaultGraphs === undefined ? undefined : takeIris(defaultGraphs, 'defaultGraphs', baseIri),
    namedGraphs: namedGraphs === undefined ? undefined : takeIris(namedGraphs, 'namedGraphs', baseIri),
    nowMs,
    random,
    nextTurn,
  };
}

/** IRIs that are resolved as those of FROM and USING are. */
function takeIris(iris: readonly string[], what: string, baseIri: string | undefined): readonly string[] {
  checkArray(iris, what);
  return [...iris].map((iri) => {
    checkText(iri, `each of ${what}`);
    const resolved = resolveIri(iri, baseIri);
    if (resolved !== undefined) return resolved;
    const expected = baseIri === undefined ? 'an absolute IRI, as there is no base' : 'an IRI';
    const message = `each of ${what} must be ${expected}; got ${JSON.stringify(iri.slice(0, 100))}`;
    throw new CodedError({ code: 'ERR_IRI', kind: 'invalid', message });
  });
}

function checkInstant(value: unknown, what: string): void {
  if (typeof value === 'number' && Math.abs(value) <= MAX_INSTANT_MS) return;
  throw badArgument(what, `a number of milliseconds, ${-MAX_INSTANT_MS} to ${MAX_INSTANT_MS}`, value);
}
