import { CodedError, resolveLimits } from '@cairn/errors';
import { createStepClock, type Turns, WorkGuard } from '@cairn/events';
import { checkLimit } from '../port/arguments.ts';
import type { ReadOperation } from '../port/search-index.ts';

const DEFAULTS = { maxExpandedTerms: 10_000, maxPostings: 50_000_000, timeLimitMs: 10_000 };
/** Units of work in a step: some tenths of a millisecond. */
const UNITS_PER_STEP = 16_384;
/** About what a step takes, in milliseconds. */
const STEP_MS = 0.1;
/** Small steps between two looks at the clock. */
const TICKS_PER_LOOK = 256;

/**
 * Remaining budget of one operation. Terms and postings are counted as the viewer sees them and whatever the plan, so
 * that the error, too, is made from visible data only; wall-clock time is not.
 */
export class WorkBudget extends WorkGuard {
  readonly #maxExpandedTerms: number;
  readonly #maxPostings: number;
  #expansions = 0;
  #postings = 0;
  #ticks = 0;
  #unitsLeft = UNITS_PER_STEP;

  /** @throws `ERR_REQUEST` (invalid) for a budget that is none */
  constructor({ signal, budget, nextTurn }: ReadOperation, turns: Turns) {
    const { nowMs = createStepClock(STEP_MS) } = turns;
    const limits = budget === undefined ? DEFAULTS : resolveLimits(budget, DEFAULTS, checkLimit);
    const { timeLimitMs, maxExpandedTerms, maxPostings } = limits;
    super({ signal, timeLimitMs, nowMs, nextTurn: nextTurn ?? turns.nextTurn });
    this.#maxExpandedTerms = maxExpandedTerms;
    this.#maxPostings = maxPostings;
    this.beginAnew();
  }

  /** For work that is done once more, from its beginning: what it spent before counts no longer, but for its time. */
  beginAnew(): void {
    this.#expansions = this.#maxExpandedTerms;
    this.#postings = this.#maxPostings;
  }

  /** Counts one more visible term. @throws `ERR_SEARCH_BUDGET` (exhausted). */
  spendExpansion(): void {
    if (--this.#expansions < 0) throw exhausted('terms', this.#maxExpandedTerms);
  }

  /** Counts visible postings. @throws `ERR_SEARCH_BUDGET` (exhausted). */
  spendPostings(count: number): void {
    this.#postings -= count;
    if (this.#postings < 0) throw exhausted('postings', this.#maxPostings);
  }

  /** One small step of work. @throws `ERR_TIME_LIMIT` (timeout). */
  tick(): void {
    if (++this.#ticks % TICKS_PER_LOOK === 0) this.check();
  }

  /** Counts work, a posting or so each; says when that was a step of {@link run}. */
  isStepDone(units: number): boolean {
    this.#unitsLeft -= units;
    if (this.#unitsLeft > 0) return false;
    this.#unitsLeft = UNITS_PER_STEP;
    return true;
  }
}

/** `ERR_SEARCH_BUDGET` (exhausted). */
export function exhausted(what: string, bound: number): CodedError {
  const message = `the search needs more ${what} than its budget of ${bound}`;
  return new CodedError({ code: 'ERR_SEARCH_BUDGET', kind: 'exhausted', message });
}
