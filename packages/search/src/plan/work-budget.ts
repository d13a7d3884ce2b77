import { CodedError, throwIfAborted } from '@cairn/errors';
import type { ReadOperation } from '../port/search-index.ts';

const DEFAULT_EXPANDED_TERMS = 10_000;
const DEFAULT_POSTINGS = 50_000_000;
const DEFAULT_TIME_LIMIT_MS = 10_000;
/** Units of work between two chances to pause: some tenths of a millisecond. */
const UNITS_PER_STEP = 16_384;
/** Small steps between two looks at the clock. */
const TICKS_PER_LOOK = 256;
/** How long a search runs before it lets others run, in milliseconds. */
const SLICE_MS = 4;

/** Lets other work run, then resolves. */
export type Pause = () => Promise<void>;

/**
 * What one operation may still spend. Terms and postings are counted as the viewer sees them and whatever the plan,
 * so that the error, too, is made from visible data only; wall-clock time is not.
 */
export class WorkBudget {
  private readonly operation: ReadOperation;
  private readonly now: () => number;
  private readonly pause: Pause;
  private readonly started: number;
  private sliceStarted: number;
  private expansions = 0;
  private postings = 0;
  private ticks = 0;
  private unitsLeft = UNITS_PER_STEP;

  constructor(operation: ReadOperation, now: () => number, pause: Pause) {
    this.operation = operation;
    this.now = now;
    this.pause = operation.nextTurn ?? pause;
    this.started = now();
    this.sliceStarted = this.started;
    this.beginAnew();
  }

  /** For work that is done once more, from its beginning: what it spent before counts no longer, but for its time. */
  beginAnew(): void {
    this.expansions = this.operation.budget?.maxExpandedTerms ?? DEFAULT_EXPANDED_TERMS;
    this.postings = this.operation.budget?.maxPostings ?? DEFAULT_POSTINGS;
  }

  /** Counts one more visible term. @throws `ERR_SEARCH_BUDGET` (exhausted). */
  spendExpansion(): void {
    if (--this.expansions < 0) {
      throw exhausted('terms', this.operation.budget?.maxExpandedTerms ?? DEFAULT_EXPANDED_TERMS);
    }
  }

  /** Counts visible postings. @throws `ERR_SEARCH_BUDGET` (exhausted). */
  spendPostings(count: number): void {
    this.postings -= count;
    if (this.postings < 0) throw exhausted('postings', this.operation.budget?.maxPostings ?? DEFAULT_POSTINGS);
  }

  /** One small step of work. @throws `ERR_TIME_LIMIT` (timeout). */
  tick(): void {
    if (++this.ticks % TICKS_PER_LOOK === 0) this.checkTime();
  }

  /** Counts work, a posting or so each; says when it is time for a chance to pause. */
  isPauseDue(units: number): boolean {
    this.unitsLeft -= units;
    if (this.unitsLeft > 0) return false;
    this.unitsLeft = UNITS_PER_STEP;
    return true;
  }

  /** @throws `ERR_TIME_LIMIT` (timeout) or `ERR_CANCELLED`. */
  checkTime(): void {
    throwIfAborted(this.operation.signal);
    const limit = this.operation.budget?.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    if (this.now() - this.started > limit) {
      throw new CodedError({
        code: 'ERR_TIME_LIMIT',
        kind: 'timeout',
        message: `the search took more than ${limit} ms`,
      });
    }
  }

  /**
   * Runs work to its end and lets other work run whenever a slice of time is over. Looks at the clock every so many
   * steps. @throws `ERR_TIME_LIMIT` (timeout) or `ERR_CANCELLED`.
   */
  async run<T>(work: Generator<void, T>, stepsPerLook = 1): Promise<T> {
    let untilLook = stepsPerLook;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value;
      if (--untilLook > 0) continue;
      untilLook = stepsPerLook;
      this.checkTime();
      if (this.now() - this.sliceStarted < SLICE_MS) continue;
      await this.pause();
      this.checkTime();
      this.sliceStarted = this.now();
    }
  }
}

function exhausted(what: string, bound: number): CodedError {
  return new CodedError({
    code: 'ERR_SEARCH_BUDGET',
    kind: 'exhausted',
    message: `the search needs more ${what} than its budget of ${bound}`,
  });
}
