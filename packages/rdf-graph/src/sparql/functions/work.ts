import { CodedError } from '@cairn/errors';

/** The most work that the expressions of one solution may take, in steps of about ten nanoseconds. */
export const MAX_SOLUTION_WORK = 8_000_000;

/** After so much work others have their turn. */
const SLICE_WORK = 200_000;

/** Bytes of rows that are handed on in the time of one step. */
const BYTES_PER_STEP = 2;

/**
 * Counts the work of expressions, in steps of about ten nanoseconds. What a solution's expressions take depends on
 * their values alone: not on the data around them, nor on the order in which solutions come.
 */
export class Work {
  readonly #limit: number;
  #solution = 0;
  #slice = 0;

  constructor(limit: number = MAX_SOLUTION_WORK) {
    this.#limit = limit;
  }

  /** Counts work that is about to be done. @throws `ERR_QUERY_WORK` (exhausted) */
  spend(steps: number): void {
    this.#solution += steps;
    if (this.#solution > this.#limit) throw tooMuch(this.#limit);
  }

  beginSolution(): void {
    this.#slice += this.#solution;
    this.#solution = 0;
  }

  /** Counts rows that one plan has copied for the next. Whether others should have their turn, as in {@link isDue}. */
  didCopy(bytes: number): boolean {
    this.note(bytes / BYTES_PER_STEP);
    return this.#isSliceOver();
  }

  /** Counts work that belongs to no solution, such as comparing rows: it is not limited, but others have turns. */
  note(steps: number): void {
    // A whole number: a count that may have fractions is slow to add to, and this is done for each row.
    this.#slice += (steps + 1) | 0;
  }

  /** Ends a solution. Whether enough was done since this was last true that others should have their turn. */
  isDue(): boolean {
    this.#slice += this.#solution;
    this.#solution = 0;
    return this.#isSliceOver();
  }

  #isSliceOver(): boolean {
    if (this.#slice < SLICE_WORK) return false;
    this.#slice = 0;
    return true;
  }
}

function tooMuch(limit: number): CodedError {
  const message = `the expressions of one solution may take ${limit} steps of work; they take more`;
  return new CodedError({ code: 'ERR_QUERY_WORK', kind: 'exhausted', message });
}
