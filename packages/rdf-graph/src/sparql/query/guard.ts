import { CodedError, throwIfAborted } from '@cairn/errors';
import { type NextTurn, nextTurn } from '@cairn/events';
import type { Evaluation } from '../../port/graph-dataset.ts';

/** Milliseconds that increase; only differences matter. */
export type Now = () => number;

/** How long work may go on before other events are let through. */
const SLICE_MS = 4;

/** Without a clock: steps of work between pauses. */
const SLICE_STEPS = 16;

const DEFAULT_TIME_LIMIT_MS = 30_000;
const DEFAULT_MAX_ROWS = 10_000_000;

/** Watches one evaluation: cancellation, the time limit, the row budget, and turns of the event loop. */
export class Guard {
  readonly #signal: AbortSignal | undefined;
  readonly #now: Now | undefined;
  readonly #timeLimitMs: number;
  readonly #maxRows: number;
  readonly #start: number;
  readonly #nextTurn: NextTurn;
  #sliceStart: number;
  #steps = 0;
  #rows = 0;

  /** Without `now` no time limit is enforced. */
  constructor(evaluation: Evaluation, now: Now | undefined) {
    this.#signal = evaluation.signal;
    this.#now = now;
    this.#timeLimitMs = evaluation.budget?.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#maxRows = evaluation.budget?.maxRows ?? DEFAULT_MAX_ROWS;
    this.#nextTurn = evaluation.nextTurn ?? nextTurn;
    this.#start = now?.() ?? 0;
    this.#sliceStart = this.#start;
  }

  /** @throws `ERR_TIME_LIMIT` (timeout), or the reason of the abort. */
  check(): void {
    throwIfAborted(this.#signal);
    const now = this.#now?.();
    if (now === undefined || now - this.#start <= this.#timeLimitMs) return;
    throw new CodedError({
      code: 'ERR_TIME_LIMIT',
      kind: 'timeout',
      message: `the time limit of ${this.#timeLimitMs} ms is over`,
    });
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

  /** Whether other events have waited long enough. */
  isPauseDue(): boolean {
    if (this.#now === undefined) return ++this.#steps % SLICE_STEPS === 0;
    return this.#now() - this.#sliceStart >= SLICE_MS;
  }

  /** Lets other events through. */
  async pause(): Promise<void> {
    const turn = this.#nextTurn;
    await turn();
    this.#sliceStart = this.#now?.() ?? 0;
    this.check();
  }
}
