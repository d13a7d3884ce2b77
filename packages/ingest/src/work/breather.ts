import { WorkGuard } from '@cairn/events';
import type { Clock } from '../port/clock.ts';

/** Lets others run when a slice is over; until then it costs next to nothing. */
export function createBreather(clock: Clock): () => Promise<void> {
  const guard = new WorkGuard({ nowMs: () => clock.nowMs() });
  return () => guard.pauseWhenDue();
}

/** Runs work that comes in steps to its end, and pauses between them. */
export async function runWithPauses<Result>(
  work: Generator<void, Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}
