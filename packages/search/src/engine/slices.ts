import type { Pause } from '../plan/work-budget.ts';

/** How long work goes on before others may run, in milliseconds. */
const SLICE_MS = 4;

/** Runs work to its end, and lets others run between its slices. */
export async function runInSlices<T>(work: Generator<void, T>, now: () => number, pause: Pause): Promise<T> {
  let started = now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (now() - started < SLICE_MS) continue;
    await pause();
    started = now();
  }
}

/** Runs work to its end without a pause. */
export function runAtOnce<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
