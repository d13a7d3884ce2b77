import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import { type NextTurn, nextTurn } from '@cairn/events';
import type { Later } from '../graph/later.ts';
import type { Pacer } from '../graph/pacer.ts';
import { Turnstile } from './turnstile.ts';

/** How long an execution may keep others waiting. */
const SLICE_MS = 4;

/** The same where there is no clock, in units of work: a field is one. */
const SLICE_UNITS = 512;

/** Units of work between two looks at the clock. */
const LOOK_UNITS = 16;

/** Rows that are as much work as one field. */
const UNIT_ROWS = 64;

/** What a {@link ExecutionGuard} watches. */
export interface GuardOptions {
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => number) | undefined;
  readonly nextTurn?: NextTurn | undefined;
  readonly timeLimitMs: number;
  readonly maxItems: number;
  readonly maxErrors: number;
  readonly maxAnswerBytes: number;
}

/** Watches one execution: cancellation, the time limit, how much is listed, and turns of the event loop. */
export class ExecutionGuard implements Pacer {
  /** What ended the execution, for all its fields. */
  failure: CodedError | undefined;
  readonly #options: GuardOptions;
  readonly #start: number;
  readonly #turnstile: Turnstile;
  #sliceStart: number;
  #units = 0;
  #nextLook = LOOK_UNITS;
  #items = 0;
  #errors = 0;
  #leastBytes = 0;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#turnstile = new Turnstile(
      () => this.#isSliceOver(),
      () => this.#startSlice(),
      options.nextTurn ?? nextTurn,
    );
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

  /** Counts an error of a field. @throws `ERR_GRAPHQL_ERRORS` (exhausted). */
  countError(): void {
    this.#errors++;
    this.limitErrors(this.#errors);
  }

  /** Refuses an answer that has so many errors. @throws `ERR_GRAPHQL_ERRORS` (exhausted). */
  limitErrors(count: number): void {
    if (this.failure !== undefined || count <= this.#options.maxErrors) return;
    const message = `an answer may have ${this.#options.maxErrors} errors; it has more`;
    throw this.#fail(new CodedError({ code: 'ERR_GRAPHQL_ERRORS', kind: 'exhausted', message }));
  }

  /** Counts what is written of a list at least, before it is. @throws `ERR_GRAPHQL_ANSWER` (exhausted). */
  countAnswer(bytes: number): void {
    this.#leastBytes += bytes;
    if (this.#leastBytes > this.#options.maxAnswerBytes) throw this.#fail(answerTooLarge(this.#options.maxAnswerBytes));
  }

  note(rows: number): void {
    this.#units += rows / UNIT_ROWS;
  }

  step(): Later<void> {
    this.check();
    this.#units += LOOK_UNITS;
    if (this.#turnstile.isClosed || this.#isSliceOver()) return this.#turnstile.wait();
  }

  /** Counts one field and says whether it has to {@link pause} first. */
  isPauseDue(): boolean {
    if (this.#turnstile.isClosed) return true;
    if (++this.#units < this.#nextLook) return false;
    this.#nextLook = this.#units + LOOK_UNITS;
    return this.#isSliceOver();
  }

  /** Lets other events through; the fields of an execution go on in the order in which they paused. */
  pause(): Promise<void> {
    return this.#turnstile.wait();
  }

  #isSliceOver(): boolean {
    const { now } = this.#options;
    return now === undefined ? this.#units >= SLICE_UNITS : now() - this.#sliceStart >= SLICE_MS;
  }

  #startSlice(): void {
    this.#sliceStart = this.#options.now?.() ?? 0;
    this.#units = 0;
    this.#nextLook = LOOK_UNITS;
  }
}

/** `ERR_GRAPHQL_ANSWER` (exhausted). */
export function answerTooLarge(maxAnswerBytes: number): CodedError {
  const message = `an answer may have ${maxAnswerBytes} bytes; it has more`;
  return new CodedError({ code: 'ERR_GRAPHQL_ANSWER', kind: 'exhausted', message });
}
