import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { watchLoop } from './loop-watch.ts';

/** Resolves when the watch has looked again. */
const nextLook = (): Promise<void> => pause(40);

describe('the watch of the event loop', () => {
  it('names the requests during which the thread computed for too long in one turn', async () => {
    let cpuMs = 0;
    const watch = watchLoop({ threadCpuMs: () => cpuMs });
    const ended = watch.begin('POST /api/graph/knowledge/update');
    await nextLook();
    cpuMs += 240;
    await nextLook();
    expect(watch.longTurns).toEqual([]);
    cpuMs += 900;
    await nextLook();
    ended();
    cpuMs += 900;
    await nextLook();
    cpuMs += 900;
    await nextLook();
    watch.stop();
    expect(watch.longTurns).toEqual([
      '900 ms of one turn while these were under way: POST /api/graph/knowledge/update',
      '900 ms of one turn while these were under way: POST /api/graph/knowledge/update',
    ]);
  });

  it('measures what this thread computes', async () => {
    const watch = watchLoop({ maxTurnMs: 20 });
    const ended = watch.begin('GET /busy');
    let sum = 0;
    for (let i = 0; i < 3e8; i++) sum += i % 7;
    expect(sum).toBeGreaterThan(0);
    await nextLook();
    ended();
    watch.stop();
    expect(watch.longTurns).toHaveLength(1);
  });
});
