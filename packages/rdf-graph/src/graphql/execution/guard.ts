import { CodedError, isCodedError } from '@cairn/errors';
import { createStepClock, WorkGuard, type WorkLimits } from '@cairn/events';
import type { Later, Pacer } from '../graph/pacer.ts';

/** Units of work between two looks at the clock: a field is one. */
const LOOK_UNITS = 16;

/** About what so many units take, in milliseconds. */
const LOOK_MS = 0.125;

/** Rows that are as much work as one field. */
const UNIT_ROWS = 64;

/** Limits that an {@link ExecutionGuard} watches. */
export interface GuardLimits {
  readonly timeLimitMs?: number;
  readonly maxItems: number;
  readonly maxErrors: number;
  readonly maxAnswerBytes: number;
}

/** Watches one execution: cancellation, the time limit, how much is listed, and turns of the event loop. */
export class ExecutionGuard extends WorkGuard implements Pacer {
  failure: CodedError | undefined;
  readonly #limits: GuardLimits;
  /** True while everybody has to wait until others had their turn. */
  #isClosed = false;
  /** Settles when the last of those who wait has its turn. */
  #last: Promise<void> | undefined;
  #unitsLeft = LOOK_UNITS;
  #items = 0;
  #errors = 0;
  #leastBytes = 0;

  constructor(limits: GuardLimits, { signal, nowMs = createStepClock(LOOK_MS), nextTurn }: WorkLimits = {}) {
    super({ signal, nowMs, nextTurn, timeLimitMs: limits.timeLimitMs });
    this.#limits = limits;
  }

  /** An error of it ends the execution, for all its fields. */
  override check(): number {
    if (this.failure !== undefined) throw this.failure;
    try {
      return super.check();
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
    if (this.#items <= this.#limits.maxItems) return;
    const message = `an answer may list ${this.#limits.maxItems} items; it lists more`;
    throw this.#fail(new CodedError({ code: 'ERR_RESULT_ROWS', kind: 'exhausted', message }));
  }

  /** Counts an error of a field. @throws `ERR_GRAPHQL_ERRORS` (exhausted). */
  countError(): void {
    this.#errors++;
    this.limitErrors(this.#errors);
  }

  /** Refuses an answer that has so many errors. @throws `ERR_GRAPHQL_ERRORS` (exhausted). */
  limitErrors(count: number): void {
    if (this.failure !== undefined || count <= this.#limits.maxErrors) return;
    const message = `an answer may have ${this.#limits.maxErrors} errors; it has more`;
    throw this.#fail(new CodedError({ code: 'ERR_GRAPHQL_ERRORS', kind: 'exhausted', message }));
  }

  /** Counts what is written of a list at least, before it is. @throws `ERR_GRAPHQL_ANSWER` (exhausted). */
  countAnswer(bytes: number): void {
    this.#leastBytes += bytes;
    if (this.#leastBytes > this.#limits.maxAnswerBytes) throw this.#fail(answerTooLarge(this.#limits.maxAnswerBytes));
  }

  note(rows: number): void {
    this.#unitsLeft -= rows / UNIT_ROWS;
  }

  step(): Later<void> {
    if (super.isPauseDue() || this.#isClosed) return this.pause();
  }

  /** Counts one field and says whether it has to {@link pause} first. */
  override isPauseDue(): boolean {
    return this.#isClosed || this.#countField();
  }

  #countField(): boolean {
    if (--this.#unitsLeft > 0) return false;
    this.#unitsLeft = LOOK_UNITS;
    return super.isPauseDue();
  }

  /**
   * Lets other events through. Those who wait go on in the order in which they came, one by one, for as long as a slice
   * lasts; at the end of the execution all do, to find what ended it.
   */
  override pause(): Promise<void> {
    this.#isClosed = true;
    const turn = (): Promise<void> => this.#takeTurn();
    this.#last = this.#last?.then(turn) ?? turn();
    return this.#last;
  }

  async #takeTurn(): Promise<void> {
    try {
      if (!this.#isClosed && !this.#countField()) return;
      this.#isClosed = true;
      await super.pause();
    } catch (error) {
      if (this.failure === undefined) throw error;
    } finally {
      this.#isClosed = false;
    }
  }
}

/** `ERR_GRAPHQL_ANSWER` (exhausted). */
export function answerTooLarge(maxAnswerBytes: number): CodedError {
  const message = `an answer may have ${maxAnswerBytes} bytes; it has more`;
  return new CodedError({ code: 'ERR_GRAPHQL_ANSWER', kind: 'exhausted', message });
}
