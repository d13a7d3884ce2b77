import { CodedError, throwIfAborted } from '@cairn/errors';
import { type NextTurn, nextTurn } from './next-turn.ts';

/** A clock: milliseconds from some moment on, of which only differences matter, as `performance.now` gives them. */
export type NowMs = () => number;

/** One look in milliseconds: about the work that lies between two looks. */
const LOOK_MS = 0.05;

/**
 * The clock of work that was handed none: it counts looks instead of time, so that long work still lets others run and
 * ends at its limit, at the same step on every machine. Each computation has its own.
 * @param lookMs about the work between two looks, in milliseconds, for those whose steps are longer. Default 0.05.
 */
export function createStepClock(lookMs: number = LOOK_MS): NowMs {
  let looks = 0;
  return () => looks++ * lookMs;
}

/** How long a computation goes on before it lets others run, in milliseconds. */
export const SLICE_MS = 4;

/** Clock and queue by which a computation takes turns with others. */
export interface Turns {
  /** Default: {@link createStepClock}. */
  readonly nowMs?: NowMs | undefined;
  /** Default: {@link nextTurn} for nobody in particular. */
  readonly nextTurn?: NextTurn | undefined;
}

/** Limits that a {@link WorkGuard} watches. */
export interface WorkLimits extends Turns {
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown } | undefined;
  /** Milliseconds by the clock, from the making of the guard on. Default: no limit. */
  readonly timeLimitMs?: number | undefined;
}

/**
 * Watches one computation: abort, time limit, and turns of the event loop. Every long computation of an engine has one.
 *
 * The contract: work goes by steps, each well under a millisecond. Between two steps the computation asks
 * {@link isPauseDue}, and awaits {@link pause} when told so. So no slice of it is longer than {@link SLICE_MS} and the
 * steps at its ends, and between two slices each party that waits in the queue of {@link nextTurn} has had a turn: a
 * short request among n long computations waits for n slices at most. A slice ends with `pause` alone. Who awaits
 * something else inside of it gives nobody a turn by that, and what others do meanwhile counts as time of the slice.
 */
export class WorkGuard {
  readonly #signal: WorkLimits['signal'];
  readonly #timeLimitMs: number;
  readonly #nowMs: NowMs;
  readonly #nextTurn: NextTurn;
  readonly #startMs: number;
  #sliceStartMs: number;

  constructor(limits: WorkLimits = {}) {
    this.#signal = limits.signal;
    this.#timeLimitMs = limits.timeLimitMs ?? Number.POSITIVE_INFINITY;
    this.#nowMs = limits.nowMs ?? createStepClock();
    this.#nextTurn = limits.nextTurn ?? nextTurn;
    this.#startMs = this.#nowMs();
    this.#sliceStartMs = this.#startMs;
  }

  /** Looks at the limits. Returns when that was. @throws `ERR_TIME_LIMIT` (timeout), or the reason of the abort. */
  check(): number {
    throwIfAborted(this.#signal);
    const nowMs = this.#nowMs();
    if (nowMs - this.#startMs > this.#timeLimitMs) throw timeError(`the time limit of ${this.#timeLimitMs} ms is over`);
    return nowMs;
  }

  /** Looks at the limits, and whether the slice is over. @throws as {@link check} */
  isPauseDue(): boolean {
    return this.check() - this.#sliceStartMs >= SLICE_MS;
  }

  /** Lets others run, then begins a new slice. @throws as {@link check} */
  async pause(): Promise<void> {
    const give = this.#nextTurn;
    await give();
    this.#sliceStartMs = this.check();
  }

  /** Lets others run when the slice is over. @throws as {@link check} */
  async pauseWhenDue(): Promise<void> {
    if (this.isPauseDue()) await this.pause();
  }

  /**
   * Runs work that comes in steps to its end, and lets others run when a slice is over. @throws as {@link check}
   * @param stepsPerLook steps between two looks at the clock: many where they are short
   */
  async run<Result>(work: Generator<void, Result>, stepsPerLook = 1): Promise<Result> {
    let untilLook = stepsPerLook;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value;
      if (--untilLook > 0) continue;
      untilLook = stepsPerLook;
      if (this.isPauseDue()) await this.pause();
    }
  }
}

/** `ERR_TIME_LIMIT` (timeout). */
export function timeError(message: string): CodedError {
  return new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message });
}

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
