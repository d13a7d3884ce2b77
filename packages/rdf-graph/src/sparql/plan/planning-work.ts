import { CodedError } from '@cairn/errors';
import { Pace } from '../../graph/store/scheduler.ts';
import { MAX_SOLUTION_WORK } from '../functions/work.ts';

/** Planning is done once, so it may take so many times what the expressions of one solution may take. */
const SOLUTIONS = 16;

/** Copying one variable of a scope, in steps of about ten nanoseconds. */
const STEPS_PER_NAME = 8;

/** Asking the store how many rows a pattern has. */
const STEPS_PER_ESTIMATE = 200;

/** Counts the work of making one plan, in steps of about ten nanoseconds, and tells when others should have a turn. */
export class PlanningWork {
  readonly #limit: number;
  readonly #pace = new Pace();
  #spent = 0;
  #isDue = false;

  /** @param maxSolutionWork what the expressions of one solution may take; planning may take sixteen times as much */
  constructor(maxSolutionWork: number = MAX_SOLUTION_WORK) {
    this.#limit = maxSolutionWork * SOLUTIONS;
  }

  /** Steps so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Counts scopes or rows' columns that are copied, by their variables. @throws `ERR_QUERY_WORK` (exhausted) */
  names(count: number): void {
    this.spend(count * STEPS_PER_NAME);
  }

  /** Counts one estimate. @throws `ERR_QUERY_WORK` (exhausted) */
  estimate(): void {
    this.spend(STEPS_PER_ESTIMATE);
  }

  /** @throws `ERR_QUERY_WORK` (exhausted) */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#pace.did(steps)) this.#isDue = true;
    if (this.#spent <= this.#limit) return;
    const message = `planning a query may take ${this.#limit} steps of work; it takes more`;
    throw new CodedError({ code: 'ERR_QUERY_WORK', kind: 'exhausted', message });
  }

  /** Returns true if enough was done since this was last true that others should have their turn. */
  isDue(): boolean {
    const isDue = this.#isDue;
    this.#isDue = false;
    return isDue;
  }
}
