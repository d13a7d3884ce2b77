import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import { nextTurn } from '../../store/scheduler.ts';

const SLICE_MS = 4;
const SLICE_STEPS = 512;

/** What a {@link ExecutionGuard} watches. */
export interface GuardOptions {
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => number) | undefined;
  readonly timeLimitMs: number;
  readonly maxItems: number;
}

/** Watches one execution: cancellation, the time limit, how much is listed, and turns of the event loop. */
export class ExecutionGuard {
  /** What ended the execution, for all its fields. */
  failure: CodedError | undefined;
  readonly #options: GuardOptions;
  readonly #start: number;
  #sliceStart: number;
  #steps = 0;
  #items = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#start = options.now?.() ?? 0;
    this.#sliceStart = this.#start;
  }

  /** @throws `ERR_TIME_LIMIT` (timeout), or the reason of the abort. */
  check(): void {
    if (this.failure !== undefined) throw this.failure;
    this.#rememberFailure(() => throwIfAborted(this.#options.signal));
    const now = this.#options.now?.();
    if (now === undefined || now - this.#start <= this.#options.timeLimitMs) return;
    const message = `the time limit of ${this.#options.timeLimitMs} ms is over`;
    throw this.#fail(new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message }));
  }

  #rememberFailure(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (isCodedError(error)) this.failure = error;
      throw error;
    }
  }

  #fail(error: CodedError): CodedError {
    this.failure = error;
    return error;
  }

  /** Counts the items of a list before they are made. @throws `ERR_RESULT_ROWS` (exhausted). */
  countItems(count: number): void {
    this.#items += count;
    if (this.#items <= this.#options.maxItems) return;
    const message = `an answer may list ${this.#options.maxItems} items; it lists more`;
    throw this.#fail(new CodedError({ code: 'ERR_RESULT_ROWS', kind: 'exhausted', message }));
  }

  /** Whether other events have waited long enough. */
  isPauseDue(): boolean {
    if (++this.#steps % 16 !== 0) return false;
    if (this.#options.now === undefined) return this.#steps % SLICE_STEPS === 0;
    return this.#options.now() - this.#sliceStart >= SLICE_MS;
  }

  /** Lets other events through. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#sliceStart = this.#options.now?.() ?? 0;
  }
}
