import { describe, expect, it } from 'vitest';
import { createStepClock, runAtOnce, runInSlices, SLICE_MS, WorkGuard, type WorkLimits } from './guard.ts';

/** Steps that take a millisecond each by the clock, and how many were done at each turn that was given. */
function work(count: number, stepMs = 1) {
  let timeMs = 0;
  let done = 0;
  const turns: number[] = [];
  const limits: WorkLimits = { nowMs: () => timeMs, nextTurn: async () => void turns.push(done) };
  function* steps(): Generator<void, number> {
    while (done < count) {
      timeMs += stepMs;
      done++;
      yield;
    }
    return done;
  }
  const pass = (ms: number): void => {
    timeMs += ms;
  };
  return { limits, turns, steps: steps(), pass };
}

describe('a guard of work', () => {
  it('lets others run after a slice, and never later than a step after its end', async () => {
    const { limits, turns, steps } = work(10);
    expect(await new WorkGuard(limits).run(steps)).toBe(10);
    expect(turns).toEqual([SLICE_MS, 2 * SLICE_MS]);
    const slow = work(4, 2.5 * SLICE_MS);
    await new WorkGuard(slow.limits).run(slow.steps);
    expect(slow.turns).toEqual([1, 2, 3, 4]);
  });

  it('begins a new slice when its turn has come, not when it has asked for it', async () => {
    const { limits, turns, steps, pass } = work(9);
    const nextTurn = async (): Promise<void> => {
      await limits.nextTurn?.();
      pass(1000);
    };
    await new WorkGuard({ ...limits, nextTurn }).run(steps);
    expect(turns).toEqual([4, 8]);
  });

  it('looks at the clock every so many steps', async () => {
    const { limits, turns, steps } = work(20);
    await new WorkGuard(limits).run(steps, 6);
    expect(turns).toEqual([6, 12, 18]);
  });

  it('ends work that takes longer than it may, and work that is withdrawn', async () => {
    const { limits, steps } = work(100);
    await expect(new WorkGuard({ ...limits, timeLimitMs: 20 }).run(steps)).rejects.toMatchObject({
      code: 'ERR_TIME_LIMIT',
      kind: 'timeout',
      message: 'the time limit of 20 ms is over',
    });
    const controller = new AbortController();
    const other = work(100);
    const nextTurn = async (): Promise<void> => controller.abort();
    const guard = new WorkGuard({ ...other.limits, nextTurn, signal: controller.signal });
    await expect(guard.run(other.steps)).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
  });

  it('counts looks where it has no clock: it gives turns, and ends at the same step each time', async () => {
    let turns = 0;
    const nextTurn = async (): Promise<void> => void turns++;
    const { steps } = work(1000);
    await new WorkGuard({ nextTurn }).run(steps);
    expect(turns).toBeGreaterThan(3);
    const endOf = async (): Promise<number> => {
      let done = 0;
      const endless = (function* (): Generator<void, void> {
        for (;;) {
          done++;
          yield;
        }
      })();
      await expect(new WorkGuard({ nextTurn, timeLimitMs: 100 }).run(endless)).rejects.toThrow('100 ms');
      return done;
    };
    expect(await endOf()).toBe(await endOf());
  });
});

describe('work in steps', () => {
  it('runs at once, or in slices with the same result', async () => {
    expect(runAtOnce(work(10).steps)).toBe(10);
    const { limits, turns, steps } = work(10);
    expect(await runInSlices(steps, limits)).toBe(10);
    expect(turns.length).toBeGreaterThan(1);
  });

  it('gives the result of a single step at once', () => {
    expect(runInSlices(work(0).steps)).toBe(0);
  });

  it('has a turn after each step where a step is a slice', async () => {
    const { limits, turns, steps } = work(3);
    await runInSlices(steps, { ...limits, nowMs: createStepClock(SLICE_MS) });
    expect(turns).toEqual([1, 2, 3]);
  });
});
