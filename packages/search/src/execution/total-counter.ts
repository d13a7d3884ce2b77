import type { Total } from '../port/search-index.ts';
import type { MatchVisitor } from './match-visitor.ts';

/** Counts matches up to a bound. */
export class TotalCounter implements MatchVisitor {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  open(): void {
    // Matches count alike in every segment.
  }

  visit(): boolean {
    if (this.#count <= this.#most) this.#count++;
    return this.#count <= this.#most;
  }

  toTotal(): Total {
    if (this.#count > this.#most) return { value: this.#most, relation: 'gte' };
    return { value: this.#count, relation: 'eq' };
  }
}
