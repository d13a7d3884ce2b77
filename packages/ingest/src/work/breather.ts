import { nextTurn } from '@cairn/events';
import type { Clock } from '../port/clock.ts';

const SLICE_MS = 5;

/** Lets others run when a few milliseconds have gone since they last could; until then it costs next to nothing. */
export function createBreather(clock: Clock): () => Promise<void> {
  let lastMs = clock.nowMs();
  return async () => {
    if (clock.nowMs() - lastMs < SLICE_MS) return;
    await nextTurn();
    lastMs = clock.nowMs();
  };
}
