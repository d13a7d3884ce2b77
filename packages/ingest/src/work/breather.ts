import { WorkGuard } from '@cairn/events';
import type { Clock } from '../port/clock.ts';

/** Lets others run when a slice is over; until then it costs next to nothing. */
export function createBreather(clock: Clock): () => Promise<void> {
  const guard = new WorkGuard({ nowMs: () => clock.nowMs() });
  return () => guard.pauseWhenDue();
}
