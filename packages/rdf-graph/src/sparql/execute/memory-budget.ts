import { CodedError } from '@cairn/errors';

/** The most bytes that the intermediate results of one evaluation take, where a budget names no other number. */
export const DEFAULT_MEMORY_BYTES: number = 2 ** 30;

/**
 * Memory that an evaluation may hold: rows on their way, columns of tables, distinct rows, groups and terms that it
 * computed.
 */
export class MemoryBudget {
  readonly #bytes: number;
  #taken = 0;

  constructor(bytes: number = DEFAULT_MEMORY_BYTES) {
    this.#bytes = bytes;
  }

  /** Counts bytes that are about to be held, until the end or until they are given back. @throws `ERR_QUERY_MEMORY` (exhausted). */
  take(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken <= this.#bytes) return;
    throw new CodedError({
      code: 'ERR_QUERY_MEMORY',
      kind: 'exhausted',
      message: `a query may hold ${this.#bytes} bytes in memory; ${this.#taken} are needed`,
    });
  }

  /** Gives back what was taken and is no longer held. */
  release(bytes: number): void {
    this.#taken -= bytes;
  }
}
