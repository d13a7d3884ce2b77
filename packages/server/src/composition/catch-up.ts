import { isCodedError } from '@cairn/errors';
import type { Clock, Ingest } from '@cairn/ingest';

/** How long nothing may come on, beside a projector that stands still, before nobody waits any longer. */
const IDLE_MS = 1_000;

/**
 * Waits until the caches have come to the end of the log. What is left after `timeoutMs` is caught up while serving,
 * and so is what waits for a projector before a lost value: that may be for ever.
 * @throws what a projector failed with
 */
export async function catchUp(ingest: Ingest, timeoutMs: number, clock: Clock): Promise<void> {
  const leave = new AbortController();
  const { signal } = leave;
  const waits = ingest.projectors.map((projector) => projector.waitForEnd({ timeoutMs, signal }));
  const outcomes = Promise.allSettled(waits);
  const stalled = new Promise<void>((resolve) => {
    for (const wait of waits) wait.catch((error: unknown) => isStall(error) && resolve());
  });
  const nothingComesOn = stalled.then(() => untilIdle(ingest, clock, signal)).catch(() => undefined);
  await Promise.race([outcomes, nothingComesOn]);
  leave.abort();
  for (const outcome of await outcomes) {
    if (outcome.status === 'rejected' && !isLate(outcome.reason)) throw outcome.reason;
  }
}

async function untilIdle(ingest: Ingest, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let before = await placesOf(ingest); ; ) {
    await clock.sleep(IDLE_MS, signal);
    const places = await placesOf(ingest);
    if (places === before) return;
    before = places;
  }
}

async function placesOf(ingest: Ingest): Promise<string> {
  const { projectors } = await ingest.figures();
  return projectors.map(({ position }) => position).join();
}

function isStall(error: unknown): boolean {
  return isCodedError(error) && error.code === 'ERR_PROJECTOR_STALLED';
}

function isLate(error: unknown): boolean {
  return isStall(error) || (isCodedError(error) && (error.kind === 'timeout' || error.kind === 'cancelled'));
}
