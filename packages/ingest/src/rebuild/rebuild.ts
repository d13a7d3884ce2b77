import { CodedError, throwIfAborted } from '@cairn/errors';
import type { Clock } from '../port/clock.ts';
import type { Projector } from '../projector/projector.ts';
import type { Switchable } from './switchable.ts';

/** Options of a rebuild. */
export interface RebuildOptions {
  /**
   * Told a few times per second how many events and entities were taken in, and of how many: as many as there are now,
   * which grows while others write.
   */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RebuildPlan<Cache extends object> extends RebuildOptions {
  readonly slot: Switchable<Cache>;
  readonly fresh: Cache;
  /** Brings in what is not replayed from the log. Returns how many things that were. */
  readonly seed?: () => Promise<number>;
  /** Projectors into the fresh cache; not started. */
  readonly catchUp: readonly Projector[];
  /** The projectors into the cache that is in use. */
  readonly running: readonly Projector[];
  readonly clock: Clock;
}

const PROGRESS_INTERVAL_MS = 250;

/**
 * Fills a fresh cache from the log while the old one goes on answering and following, then puts it in its place.
 * Resolves with the old one. When it fails or is aborted, the old one stays.
 */
export async function rebuild<Cache extends object>(plan: RebuildPlan<Cache>): Promise<Cache> {
  const { slot, fresh, catchUp, running, signal } = plan;
  try {
    const seeded = (await plan.seed?.()) ?? 0;
    throwIfAborted(signal);
    for (const projector of catchUp) await projector.start();
    await followToEnd(plan, seeded);
    throwIfAborted(signal);
    await stopAll(running);
    try {
      // What came since the projectors of the old cache stood still.
      await followToEnd(plan, seeded);
      await stopAll(catchUp);
      return slot.switchTo(fresh);
    } finally {
      for (const projector of running) await projector.start();
    }
  } finally {
    await stopAll(catchUp);
  }
}

async function stopAll(projectors: readonly Projector[]): Promise<void> {
  await Promise.all(projectors.map((projector) => projector.stop({ restart: true })));
}

async function followToEnd<Cache extends object>(plan: RebuildPlan<Cache>, seeded: number): Promise<void> {
  for (;;) {
    throwIfAborted(plan.signal);
    const figures = await Promise.all(plan.catchUp.map((projector) => projector.figures()));
    const broken = figures.find(({ state }) => state === 'failed' || state === 'stalled');
    if (broken !== undefined) {
      const message = `the topic ${broken.topic} cannot be replayed: ${broken.lastError}`;
      throw new CodedError({ code: 'ERR_REBUILD', kind: 'internal', message });
    }
    const lag = figures.reduce((sum, figure) => sum + figure.lag, 0);
    const done = figures.reduce((sum, { applied, repeated }) => sum + applied + repeated, seeded);
    plan.onProgress?.({ done, total: done + lag });
    if (lag === 0) return;
    await plan.clock.sleep(PROGRESS_INTERVAL_MS, plan.signal);
  }
}
