import { WorkGuard, type WorkLimits } from './guard.ts';

/**
 * Runs work that comes in steps to its end, and lets others run when a slice is over. Work of a single step gives its
 * result at once, without a promise or a look at anything; the first slice of longer work runs in the call.
 * @throws what {@link WorkGuard.check} does
 */
export function runInSlices<Result>(work: Generator<void, Result>, limits?: WorkLimits): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : runOn(work, new WorkGuard(limits));
}

async function runOn<Result>(work: Generator<void, Result>, guard: WorkGuard): Promise<Result> {
  if (guard.isPauseDue()) await guard.pause();
  return guard.run(work);
}

/** Runs work that comes in steps to its end without a pause. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
