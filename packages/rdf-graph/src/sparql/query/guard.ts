import { CodedError } from '@cairn/errors';
import { createStepClock, type NowMs, WorkGuard } from '@cairn/events';
import type { Evaluation } from '../../graph/port/graph-dataset.ts';
import { DEFAULT_BUDGET } from './evaluation-arguments.ts';

/** About what a step of a plan takes, in milliseconds. */
const STEP_MS = 0.25;

/** Watches one evaluation: cancellation, the time limit, the row budget, and turns of the event loop. */
export class Guard extends WorkGuard {
  readonly #maxRows: number;
  #rows = 0;

  constructor({ signal, nextTurn, budget }: Evaluation, nowMs: NowMs = createStepClock(STEP_MS)) {
    super({ signal, nextTurn, nowMs, timeLimitMs: budget?.timeLimitMs ?? DEFAULT_BUDGET.timeLimitMs });
    this.#maxRows = budget?.maxRows ?? DEFAULT_BUDGET.maxRows;
  }

  /** Counts rows of the result. @throws `ERR_RESULT_ROWS` (exhausted). */
  countRows(rows: number): void {
    this.#rows += rows;
    if (this.#rows <= this.#maxRows) return;
    throw new CodedError({
      code: 'ERR_RESULT_ROWS',
      kind: 'exhausted',
      message: `a result may have ${this.#maxRows} rows; it has more`,
    });
  }
}
