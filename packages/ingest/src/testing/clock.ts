import type { Clock } from '../port/clock.ts';

export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    sleep: (durationMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, durationMs);
        signal?.addEventListener('abort', done, { once: true });
      }),
  };
}

/** A clock that runs as fast as it is asked to sleep, and remembers for how long. */
export function createFastClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let nowMs = 0;
  return {
    slept,
    nowMs: () => nowMs,
    sleep: async (durationMs, signal) => {
      // Pauses of an idle projector and time limits never run out by themselves.
      if (durationMs >= 10_000) {
        await new Promise<void>((resolve) => {
          if (signal?.aborted) return resolve();
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
        return;
      }
      slept.push(durationMs);
      nowMs += durationMs;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
